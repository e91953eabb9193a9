// Commas in for heads, empty parts, declarations of several counters.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    int i, j, n = 0;
    for (i = 0, j = 5; i < j; i++, j--)
        n += 10;
    check(1, n == 30 && i == 3 && j == 2);
    for (int a = 1, *p = &a; *p < 100; *p *= 3)
        n++;
    check(2, n == 35);
    for (;;) {
        if (++n > 40)
            break;
    }
    check(3, n == 41);
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++) {
            if (j == 1)
                break;
            n++;
        }
    check(4, n == 44);
    return failed;
}
