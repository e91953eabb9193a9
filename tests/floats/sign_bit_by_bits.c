// verdict: safe
// The sign of a product, read from its bits.
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
union both { double number; unsigned long long bits; };
int main(void)
{
    union both u;
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > 0.0 && x < 1e100);
    u.number = x * -2.0;
    if ((u.bits >> 63) != 1)
        reach_error();
}
