// Enumeration constants are ints; their type is unsigned unless one is negative.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
enum plain { ZERO, ONE, FIVE = 5, SIX, ALSO_ONE = 1, NEXT };
enum negative { MINUS = -1, NOTHING };
enum big { HUGE_ = 0x7fffffff };
enum computed { SHIFTED = 1 << 4, SIZED = sizeof(int) * 2, CAST = (char)300 };
int main(void)
{
    check(1, ONE == 1 && SIX == 6 && NEXT == 2 && NOTHING == 0);
    check(2, sizeof(ONE) == sizeof(int) && sizeof(enum plain) == 4);
    enum plain p = -1;
    check(3, p > 0);
    enum negative n = -1;
    check(4, n < 0);
    check(5, SHIFTED == 16 && SIZED == 8 && CAST == 44 && HUGE_ > 0);
    p = FIVE;
    switch (p) { case FIVE: check(6, 1); break; case SIX: check(6, 0); default: ; }
    int array[SIX] = {[FIVE] = ONE};
    check(7, sizeof array / sizeof *array == 6 && array[5] == 1);
    enum { LOCAL = SIX + 1 } l = LOCAL;
    check(8, l == 7);
    return failed;
}
