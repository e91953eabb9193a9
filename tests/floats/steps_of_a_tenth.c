// verdict: unsafe
// Ten times a tenth is not one.
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n <= 20);
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += 0.1;
    if (n == 10 && sum != 1.0)
        reach_error();
}
