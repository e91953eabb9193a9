// A checksum is computed while a lock is held; only the lock matters.
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    unsigned sum = 1, mix = 0;
    int held = 0;
    while (__VERIFIER_nondet_int()) {
        unsigned byte = __VERIFIER_nondet_uint();
        if (held)
            reach_error();
        held = 1;
        sum = (sum + byte) % 65521;
        mix = (mix + sum) % 65521;
        if (mix * sum != byte)
            held = 0;
        else
            held = 0;
    }
    return 0;
}
