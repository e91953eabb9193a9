// Each activation has its own locals.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
static int hanoi(int n, int *moves, int from, int to)
{
    int local[3] = {n, from, to};
    if (n == 0)
        return 0;
    hanoi(n - 1, moves, from, 3 - from - to);
    ++*moves;
    hanoi(n - 1, moves, 3 - from - to, to);
    return local[0] * 100 + local[1] * 10 + local[2];
}
int main(void)
{
    check(1, fact(10) == 3628800);
    check(2, even(10) && odd(7) && !even(9));
    check(3, ackermann(2, 3) == 9);
    int moves = 0;
    check(4, hanoi(6, &moves, 0, 2) == 602 && moves == 63);
    return failed;
}
