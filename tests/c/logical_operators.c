// && and || stop early and give 0 or 1; the comma and ?: order their effects.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static int calls;
static int yes(void) { calls++; return 5; }
static int no(void) { calls++; return 0; }
int main(void)
{
    check(1, (yes() && yes()) == 1 && calls == 2);
    calls = 0;
    check(2, (no() && yes()) == 0 && calls == 1);
    calls = 0;
    check(3, (yes() || no()) == 1 && calls == 1);
    calls = 0;
    int r = no() ? yes() : no() ? 1 : 2;
    check(4, r == 2 && calls == 2);
    calls = 0;
    check(5, (yes() ?: no()) == 5 && calls == 1);
    check(6, (no() ?: 7) == 7);
    int i = 1;
    int j = (i++, i++, i);
    check(7, j == 3);
    i = 0;
    i++ && i++;
    check(8, i == 1);
    i-- || i++;
    check(9, i == 0);
    check(10, (1 ? 2, 3 : 4) == 3);
    check(11, !(i || 0) && (i = 1) && i);
    if (i == 1 && (i = 5, i > 4) || (i = 9))
        check(12, i == 5);
    int *p = 0;
    check(13, !(p && *p));
    return failed;
}
