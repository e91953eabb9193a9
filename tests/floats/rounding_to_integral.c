// verdict: safe
// floor is at most the number and less than one below it.
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
    __VERIFIER_assume(x > -1000.0f && x < 1000.0f);
    float f = floorf(x);
    if (f > x || x - f > 1.0f)
        reach_error();
}
