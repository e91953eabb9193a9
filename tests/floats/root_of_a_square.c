// verdict: unsafe
// The root of a square is not always the number.
#include <math.h>
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > 0.0f && x < 1e-20f);
    if (sqrtf(x * x) != x)
        reach_error();
}
