// Operators bind as the grammar says.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    check(1, (1 + 2 * 3 == 7) && (10 - 4 - 3 == 3) && (2 * 3 % 4 == 2));
    check(2, (1 | 2 ^ 3 & 4) == (1 | (2 ^ (3 & 4))));
    check(3, (1 << 2 + 1) == 8 && (7 & 3 == 3) == 1);
    check(4, (1 ? 0 : 1 ? 2 : 3) == 0 && (0 ? 0 : 1 ? 2 : 3) == 2);
    check(5, (!1 == 0) == 1 && !(1 == 0) && -2 * -3 == 6 && - -1 == 1);
    int a[2] = {1, 2}, *p = a, x;
    check(6, *p++ == 1 && *p == 2 && -*p == -2);
    check(7, sizeof(int) * 2 == 8 && (sizeof a[0]) * 2 == 8);
    x = 1, 2;
    check(8, x == 1);
    check(9, (5 > 3 > 1) == 0 && (1 < 2 == 1));
    check(10, (~1 & 3) == 2 && !0 + 1 == 2);
    check(11, (char)65 + 1 == 66 && (int)1.9 * 2 == 2);
    return failed;
}
