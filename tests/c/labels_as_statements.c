// Labels before declarations through empty statements, local labels, unused labels.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    int n = 0;
    start: ;
    int x = 5;
    n += x;
    if (n < 15)
        goto start;
    check(1, n == 15);
    {
        __label__ here;
        int k = 0;
    here:
        if (++k < 3)
            goto here;
        check(2, k == 3);
    }
    unused: __attribute__((unused));
    check(3, 1);
    return failed;
}
