// Two halves of a word make it up again; a quotient does not distinguish them.
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), d = __VERIFIER_nondet_uint();
    unsigned whole = (x & 0xffff) | (x & 0xffff0000);
    if (whole * y / d % 1013 != x * y / d % 1013)
        reach_error();
    return 0;
}
