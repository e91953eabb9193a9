// The parity of a sum, computed in two ways, scales two products alike. Only the two parities need bits.
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), w = __VERIFIER_nondet_uint(), h = __VERIFIER_nondet_uint();
    unsigned apart = ((x % 2) + (y % 2)) % 2;
    unsigned together = (x + y) % 2;
    unsigned area = h * w * apart;
    unsigned same = w * h * together;
    if (area != same)
        reach_error();
    return 0;
}
