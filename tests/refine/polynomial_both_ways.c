// A polynomial of a product, its argument computed in two orders.
// verdict: safe
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);
int main(void)
{
    unsigned long long x = __VERIFIER_nondet_ulonglong(), y = __VERIFIER_nondet_ulonglong();
    unsigned long long p = x * y, q = y * x;
    unsigned long long f = (p / 3 * p + 5) / (p % 11 + 1), g = (5 + q * (q / 3)) / (1 + q % 11);
    if (f != g)
        reach_error();
    return 0;
}
