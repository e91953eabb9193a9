// verdict: unsafe
// A float has 24 bits of significand.
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void)
{
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assume(i > 0 && i < 100000000);
    float f = (float)i;
    if ((int)f != i)
        reach_error();
}
