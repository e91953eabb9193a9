// A value is used under the very test under which it was made.
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), made = 0;
    if (a * b % 97 == 5)
        made = 1;
    if (b * a % 97 == 5 && !made)
        reach_error();
    return 0;
}
