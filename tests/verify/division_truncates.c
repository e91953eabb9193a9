// In C, -7 / 2 is -3 and not -4.
// verdict: unsafe
// engines: bmc kind euf
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 0 && x > -10 && x / 2 * 2 != x && x / 2 * 2 > x && x % 2 == -1)
        reach_error();
    return 0;
}
