// An index is masked before it is used; how it was made does not matter.
// verdict: safe
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);
int main(void)
{
    unsigned long long a = __VERIFIER_nondet_ulonglong(), b = __VERIFIER_nondet_ulonglong();
    unsigned long long index = (a * b + a / (b | 1)) & 15;
    if (index > 15)
        reach_error();
    return 0;
}
