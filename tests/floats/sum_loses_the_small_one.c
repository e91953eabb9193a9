// verdict: unsafe
// Addition is not exact, so that subtraction does not give back what was added.
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void)
{
    float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > 0.0f && x < 1.0f && y > 0.0f && y < 16.0f);
    if ((x + y) - y != x)
        reach_error();
}
