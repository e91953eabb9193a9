// A square of an even number is even: one factor in bits is enough.
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), junk = __VERIFIER_nondet_uint();
    unsigned even = 2 * x;
    unsigned long long noise = (unsigned long long)junk * junk / 7 % 13;
    if (even % 2 == 1 && noise < 100)
        reach_error();
    return 0;
}
