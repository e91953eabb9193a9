// A protocol whose messages carry products; what is sent is what arrives.
// verdict: safe
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    unsigned long long sent = 0, got = 0, a = 3;
    int state = 0;
    while (__VERIFIER_nondet_int()) {
        if (state == 0) {
            a = __VERIFIER_nondet_ulonglong();
            sent = a * a / (a % 17 + 1);
            state = 1;
        } else if (state == 1) {
            got = sent;
            state = 2;
        } else {
            if (got != sent)
                reach_error();
            state = 0;
        }
    }
    return 0;
}
