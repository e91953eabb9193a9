// What a function leaves in a global variable is part of its contract; what it does not write stays.
// verdict: safe
// engines: portfolio
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
unsigned calls, other;
void walk(unsigned n)
{
    if (n == 0)
        return;
    walk(n - 1);
    calls++;
}
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    other = n;
    walk(n);
    if (calls != other)
        reach_error();
    return 0;
}
