// verdict: safe
// A double holds every int.
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void)
{
    int i = __VERIFIER_nondet_int();
    double d = i;
    if ((int)d != i)
        reach_error();
}
