// verdict: unknown
// C leaves open which NaN a sum makes: no answer may depend on it.
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
union both { float number; unsigned bits; };
int main(void)
{
    float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x == x && y == y);
    union both u;
    u.number = x + y;
    if (u.number != u.number && u.bits != 0x7fc00000u)
        reach_error();
}
