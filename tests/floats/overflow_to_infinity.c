// verdict: unsafe
// A product of finite numbers that is not finite.
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > 1.0f && x < 1e30f);
    float square = x * x;
    if (square > 3.0e38f && square == square * 2.0f)
        reach_error();
}
