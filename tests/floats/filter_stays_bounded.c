// verdict: safe
// A loop without a small bound: the invariant is a range of a double.
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void)
{
    double level = 0.0;
    for (int i = 0; i < 1000000; i++) {
        double in = __VERIFIER_nondet_double();
        __VERIFIER_assume(in >= -1.0 && in <= 1.0);
        level = 0.5 * level + in;
        if (!(level >= -4.0 && level <= 4.0))
            reach_error();
    }
}
