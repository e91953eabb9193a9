// verdict: safe
// Floats in an array.
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void)
{
    float a[3];
    for (int i = 0; i < 3; i++) {
        a[i] = __VERIFIER_nondet_float();
        __VERIFIER_assume(a[i] == a[i]);
    }
    float most = a[0];
    for (int i = 1; i < 3; i++)
        if (a[i] > most)
            most = a[i];
    int k = __VERIFIER_nondet_int();
    __VERIFIER_assume(k >= 0 && k < 3);
    if (a[k] > most)
        reach_error();
}
