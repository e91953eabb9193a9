// The last thing that the function does is to call itself: a loop whose state lies in objects of the caller.
// verdict: safe
// engines: kind
// options: --property unreach-call
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void turn(int *i, int *s, int *n)
{
    if (*i < *n) {
        *i = *i + 1;
        *s = *s + 2;
        turn(i, s, n);
    }
}
int main(void)
{
    int i = 0, s = 0, n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000000)
        return 0;
    turn(&i, &s, &n);
    if (s != 2 * n)
        reach_error();
    return 0;
}
