// The lowest bit of a cube is that of its root; products that follow it are alike.
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();
    unsigned low = x & 1, other = (x + 2) & 1;
    if (k * k * low / 5 != k * k * other / 5)
        reach_error();
    return 0;
}
