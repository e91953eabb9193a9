// unsigned bit patterns and hexadecimal constants keep their types.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    check(1, 0xffffffff == 4294967295u && 0xffffffff > 0);
    check(2, -2147483648 < 0 && sizeof(-2147483648) == 8);
    check(3, 0x7fffffff + 0x80000000 == 0xffffffff);
    check(4, 037777777777 == 0xffffffffu && 0b101 == 5);
    check(5, 1u - 2 == 4294967295u && 1ul > -1l == 0);
    check(6, 'ab' == ('a' << 8 | 'b'));
    check(7, 123456789012LL / 1000 == 123456789 && 0xfULL == 15 && 10Lu == 10);
    check(8, 08.5 == 8.5 && 1.e1 == 10 && 0x.8p1 == 1);
    return failed;
}
