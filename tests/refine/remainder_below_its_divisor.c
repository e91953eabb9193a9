// A remainder by a constant is below it, whatever is divided.
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    unsigned bucket = (a * b * b + a) % 64;
    if (bucket >= 64)
        reach_error();
    return 0;
}
