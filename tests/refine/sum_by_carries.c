// A sum made of its digits and its carries is the sum; what is computed from it does not matter.
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    unsigned h = __VERIFIER_nondet_uint(), d = __VERIFIER_nondet_uint();
    unsigned carried = (x ^ y) + 2 * (x & y);
    unsigned plain = x + y;
    unsigned one = carried * h / d;
    unsigned other = plain * h / d;
    if (one % 1013 != other % 1013)
        reach_error();
    return 0;
}
