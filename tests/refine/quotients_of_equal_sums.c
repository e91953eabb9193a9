// Equal sums divided by equal divisors.
// verdict: safe
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);
int main(void)
{
    unsigned long long a = __VERIFIER_nondet_ulonglong(), b = __VERIFIER_nondet_ulonglong();
    unsigned long long d = __VERIFIER_nondet_ulonglong(), e = d;
    unsigned long long s = a * b + a, t = a + b * a;
    if (s / d != t / e || s % d != t % e)
        reach_error();
    return 0;
}
