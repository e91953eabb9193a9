// The one thing the two data models disagree on: long and pointers.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    check(1, sizeof(long) == sizeof(void *));
    check(2, sizeof(long long) == 8);
    check(3, (sizeof(long) == 8) == (-1L < 1u));
    check(4, (sizeof(long) == 4) == ((long)-1 > 1u));
    check(5, sizeof(2147483648) == 8);
    check(6, sizeof(0x80000000) == 4);
    check(7, sizeof(4294967296) == 8);
    check(8, sizeof(1L) == sizeof(long));
    check(9, sizeof(sizeof(int)) == sizeof(void *));
    return failed;
}
