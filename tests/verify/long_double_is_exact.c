// verdict: unsafe
// engines: bmc
// Half of a byte is exact in a long double, so one input reaches the error; trying all of them finds it.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char k = __VERIFIER_nondet_uchar();
    long double half = k;
    half = half * 0.5L;
    if (half == 61.5L) reach_error();
    return 0;
}
