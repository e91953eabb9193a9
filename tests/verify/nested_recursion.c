// The argument of a call is the result of a call. A contract by cases: above the limit it is exact, below it is one value.
// verdict: safe
// engines: portfolio
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int settle(int x)
{
    if (x > 50)
        return x - 5;
    return settle(settle(x + 6));
}
int main(void)
{
    int x = __VERIFIER_nondet_int();
    int r = settle(x);
    if (x <= 50 && r != 46)
        reach_error();
    return 0;
}
