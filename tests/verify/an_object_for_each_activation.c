// A call at the end that is no loop: each activation has an object of its own, which the next one reads.
// verdict: unsafe
// engines: bmc
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int down(int *above, int n)
{
    int own = n;
    if (n <= 0)
        return *above;
    return down(&own, n - 1);
}
int main(void)
{
    int first = 9, n = __VERIFIER_nondet_int();
    if (n < 1 || n > 3)
        return 0;
    if (down(&first, n) == 1)
        reach_error();
    return 0;
}
