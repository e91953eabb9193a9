// A loop with an assertion: one loop head, one error location.
// data-model: lp64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    unsigned char i = 0;
    while (i < n)
        i++;
    if (i == 200)
        reach_error();
    return i;
}
