// else belongs to the nearest if.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static int f(int a, int b)
{
    if (a)
        if (b)
            return 1;
        else
            return 2;
    return 3;
}
static int g(int a, int b)
{
    if (a) {
        if (b)
            return 1;
    } else
        return 2;
    return 3;
}
static int chain(int n)
{
    if (n < 0)
        return -1;
    else if (n == 0)
        return 0;
    else if (n < 10)
        return 1;
    else
        return 2;
}
int main(void)
{
    check(1, f(1, 1) == 1 && f(1, 0) == 2 && f(0, 0) == 3);
    check(2, g(1, 1) == 1 && g(1, 0) == 3 && g(0, 0) == 2);
    check(3, chain(-5) == -1 && chain(0) == 0 && chain(5) == 1 && chain(50) == 2);
    return failed;
}
