// verdict: unsafe
// engines: bmc kind refine
// The passes refuse recursion, but a run can still be executed.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static unsigned moves(int disks)
{
    if (disks <= 0)
        return 0;
    return 2 * moves(disks - 1) + 1;
}
int main(void)
{
    int disks = __VERIFIER_nondet_int();
    if (disks > 40)
        return 0;
    if (moves(disks) == 0xffffffffu)
        reach_error();
    return 0;
}
