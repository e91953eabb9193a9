// A loop of many rounds inside a function that is called twice: the report folds the rounds, and follows values through calls.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

// </script><img src=x onerror=alert(1)> ]]> <!-- stays text

static int sum(int from, int n)
{
    int total = from;
    for (int i = 0; i < n; i++)
        total += i;
    return total;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 6 || n > 9)
        return 0;
    int first = sum(0, n);
    int second = sum(first, n);
    if (second == 2 * first && first == 28)
        reach_error();
    return 0;
}
