// A sum of twos is even, whatever wraps.
// verdict: safe
// engines: kind euf
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), i = 0, s = 0;
    while (i < n) {
        i++;
        s += 2;
    }
    if (s & 1)
        reach_error();
    return 0;
}
