// The parity of a sum, computed in two ways, scales two products alike. Only the two parities need bits.
// verdict: safe
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);
int main(void)
{
    unsigned long long x = __VERIFIER_nondet_ulonglong(), y = __VERIFIER_nondet_ulonglong(), w = __VERIFIER_nondet_ulonglong(), h = __VERIFIER_nondet_ulonglong();
    unsigned long long apart = ((x % 2) + (y % 2)) % 2;
    unsigned long long together = (x + y) % 2;
    unsigned long long area = h * w * apart;
    unsigned long long same = w * h * together;
    if (area != same)
        reach_error();
    return 0;
}
