// One error inside the inner loop and one behind the outer: neither is reached.
// verdict: safe
// engines: ufo
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int rows = 0, marks = 0, open = 0;
    while (__VERIFIER_nondet_int()) {
        open = 1;
        while (__VERIFIER_nondet_int()) {
            if (open != 1)
                reach_error();
            marks = 1;
        }
        open = 0;
        if (marks)
            rows = 1;
    }
    if (open || (marks && !rows))
        reach_error();
    return 0;
}
