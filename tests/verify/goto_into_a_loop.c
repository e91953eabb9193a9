// An irreducible loop: it is entered at two places.
// verdict: safe
// engines: kind euf ufo
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    int x = 0, odd = 0;
    if (__VERIFIER_nondet_int())
        goto middle;
start:
    x = x ^ 1;
    odd = !odd;
middle:
    if ((x == 1) != odd)
        reach_error();
    if (__VERIFIER_nondet_int())
        goto start;
    return 0;
}
