// Swapping twice changes nothing that a product depends on.
// verdict: safe
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);
int main(void)
{
    unsigned long long a = __VERIFIER_nondet_ulonglong(), b = __VERIFIER_nondet_ulonglong();
    unsigned long long x = a, y = b, before = a * b % (a ^ b), t;
    t = x;
    x = y;
    y = t;
    t = x;
    x = y;
    y = t;
    if (x * y % (x ^ y) != before)
        reach_error();
    return 0;
}
