// A loop that only an error would end: the condition matters although every way on leads to the error.
// verdict: safe
// engines: kind refine
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    unsigned odd = 7;
    for (;;) {
        odd += 4 * __VERIFIER_nondet_uint();
        if (odd == 2)
            reach_error();
    }
}
