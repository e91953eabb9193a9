// verdict: safe
// Products with equal signs.
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void)
{
    double x = __VERIFIER_nondet_double();
    double square = x * x;
    if (square < 0.0)
        reach_error();
}
