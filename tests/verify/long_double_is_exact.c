// verdict: unsafe
// engines: bmc kind refine
// Half of an int is exact in a long double, so one input reaches the error.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int k = __VERIFIER_nondet_int();
    long double half = k;
    half = half * 0.5L;
    if (half == 1234.5L) reach_error();
    return 0;
}
