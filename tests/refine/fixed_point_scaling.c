// Scaling there and back in the same way, in 64 bits.
// verdict: safe
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);
int main(void)
{
    unsigned long long price = __VERIFIER_nondet_ulonglong(), rate = __VERIFIER_nondet_ulonglong();
    unsigned long long gross = price * rate / 10000, net = price - gross;
    unsigned long long again = price - rate * price / 10000;
    if (net != again)
        reach_error();
    return 0;
}
