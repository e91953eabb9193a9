// A product of two inputs hits a value: an error, found by its inputs.
// verdict: unsafe
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    unsigned noise = a * b / 3 % 7;
    if (a == 12 && b % 8 == 5 && a * b == 60 && noise < 9)
        reach_error();
    return 0;
}
