// Two copies of a filter run side by side on the same samples.
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    unsigned u1 = 0, v1 = 0, u2 = 0, v2 = 0, gain = __VERIFIER_nondet_uint();
    while (__VERIFIER_nondet_int()) {
        unsigned sample = __VERIFIER_nondet_uint(), t;
        t = (u1 * gain + sample) / 3;
        v1 = u1;
        u1 = t;
        t = (sample + gain * u2) / 3;
        v2 = u2;
        u2 = t;
    }
    if (u1 != u2 || v1 != v2)
        reach_error();
    return 0;
}
