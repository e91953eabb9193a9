// verdict: safe
// Reading and writing a float keeps its bits, also those of a NaN.
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
union both { float number; unsigned bits; };
int main(void)
{
    union both u, v;
    u.bits = __VERIFIER_nondet_uint();
    float moved = u.number;
    v.number = moved;
    if (v.bits != u.bits)
        reach_error();
}
