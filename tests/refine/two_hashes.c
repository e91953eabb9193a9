// The same hash of the same input, written twice with the operands turned round.
// verdict: safe
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    unsigned long long a = 5381, b = 5381;
    while (__VERIFIER_nondet_int()) {
        unsigned long long c = __VERIFIER_nondet_ulonglong();
        a = a * 33 + c % 251;
        b = c % 251 + 33 * b;
    }
    if (a != b)
        reach_error();
    return 0;
}
