// Three stages hand on a value; the last compares it with the product it came from.
// verdict: safe
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    unsigned long long first = 0, second = 0, third = 0, a = 0, b = 0, c = 0;
    while (__VERIFIER_nondet_int()) {
        third = second;
        c = b;
        second = first;
        b = a;
        a = __VERIFIER_nondet_ulonglong();
        first = a * a % 1000003;
        if (first != a * a % 1000003)
            reach_error();
    }
    return 0;
}
