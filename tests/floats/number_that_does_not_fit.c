// verdict: unknown
// A negative number has no value as an unsigned integer: C leaves open what comes of it.
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > -3.0 && x < -2.0);
    unsigned u = (unsigned)x;
    if (u != 0x80000000u)
        reach_error();
}
