// Equal factors give equal products; no multiplier is needed to see it.
// verdict: safe
// engines: kind euf
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), p = a * b, q = p;
    while (__VERIFIER_nondet_int()) {
        a = __VERIFIER_nondet_uint();
        p = a * b;
        q = a * b;
    }
    if (p != q)
        reach_error();
    return 0;
}
