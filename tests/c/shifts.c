// A shift has the type of its promoted left operand alone.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    check(1, 1 << 31 < 0);
    check(2, (1u << 31) >> 31 == 1);
    check(3, (-8) >> 1 == -4);
    check(4, (unsigned)-8 >> 1 == 0x7ffffffcu);
    check(5, sizeof((char)1 << 1LL) == sizeof(int));
    unsigned char c = 0x81;
    c <<= 1;
    check(6, c == 2);
    signed char d = -128;
    d >>= 7;
    check(7, d == -1);
    long long l = 1;
    l <<= 40;
    check(8, l == 1099511627776);
    check(9, 1ull << 63 >> 63 == 1);
    check(10, 5 << 2 + 1 == 40);
    return failed;
}
