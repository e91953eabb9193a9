// Mixed operands: the unsigned type wins among equals, and a wider signed type that holds all values wins.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    int minus = -1;
    unsigned one = 1;
    long long wide = -1;
    unsigned short narrow = 1;
    check(1, minus > one);
    check(2, wide < one);
    check(3, minus < narrow);
    check(4, (minus + one) == 0u);
    check(5, -1 > 1u);
    check(6, -1LL < 1u);
    check(7, (unsigned char)-1 > -1);
    check(8, minus / one == 4294967295u);
    check(9, wide * one == -1);
    check(10, (1 ? minus : one) == 4294967295u);
    check(11, (1 ? minus : one) / 2 == 2147483647);
    check(12, (one - 2 > 0) == 1);
    return failed;
}
