// Square and multiply, with a flag that says whether it ran; the power does not matter.
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    unsigned base = __VERIFIER_nondet_uint(), exponent = __VERIFIER_nondet_uint();
    unsigned modulus = __VERIFIER_nondet_uint(), power = 1;
    int started = 0, finished = 0;
    started = 1;
    while (exponent) {
        if (exponent % 2)
            power = power * base % modulus;
        base = base * base % modulus;
        exponent = exponent / 2;
    }
    if (power != 7)
        finished = started;
    if (finished && !started)
        reach_error();
    return 0;
}
