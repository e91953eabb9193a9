// Both branches compute the same product, one of them after a detour.
// verdict: safe
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    unsigned long long x = __VERIFIER_nondet_ulonglong(), y = __VERIFIER_nondet_ulonglong(), p, q = x * y;
    if (__VERIFIER_nondet_int()) {
        unsigned long long z = x;
        p = y * z;
    } else {
        p = x * y;
    }
    if (p / (x | 1) != q / (1 | x))
        reach_error();
    return 0;
}
