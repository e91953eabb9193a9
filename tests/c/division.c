// Division truncates toward zero, and the remainder has the sign of the dividend.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    check(1, -7 / 2 == -3);
    check(2, -7 % 2 == -1);
    check(3, 7 / -2 == -3);
    check(4, 7 % -2 == 1);
    check(5, -7u / 2 == 2147483644u);
    check(6, -7LL / 2 == -3);
    check(7, (char)-100 / 7 == -14);
    check(8, 7 / 2 * 2 == 6);
    check(9, -1 / 4 == 0);
    unsigned short h = 40000;
    h %= 7;
    check(10, h == 2);
    int n = -17;
    n /= 5u;
    check(11, n == (int)((unsigned)-17 / 5u));
    return failed;
}
