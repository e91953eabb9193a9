// The same function's loop runs in two activations with different bounds.
// verdict: safe
// engines: euf ufo
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static int step_up_to(int limit)
{
    int i = 0;
    while (i < limit && __VERIFIER_nondet_int())
        i++;
    return i;
}
int main(void)
{
    int a = step_up_to(3), b = step_up_to(5);
    if (a > 3 || b > 5)
        reach_error();
    return 0;
}
