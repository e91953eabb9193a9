// A cache holds what would be computed again.
// verdict: safe
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    unsigned long long key = __VERIFIER_nondet_ulonglong(), value = key * key * key % 1000003;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            key = __VERIFIER_nondet_ulonglong();
            value = key * key * key % 1000003;
        }
        if (value != key * key * key % 1000003)
            reach_error();
    }
    return 0;
}
