// verdict: safe
// Sterbenz: the difference of numbers within a factor of two is exact.
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void)
{
    float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 1.0f && x <= 2.0f && y >= 1.0f && y <= 2.0f);
    double exact = (double)x - (double)y;
    if ((double)(x - y) != exact)
        reach_error();
}
