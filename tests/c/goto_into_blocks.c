// Jumps into and out of blocks and loops; a declaration that is jumped over is still in scope.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    int n = 0, rounds = 0;
    goto inside;
    {
        int x;
        n = 1000;
    inside:
        x = 5;
        n += x;
    }
    check(1, n == 5);
    again:
    for (int i = 0; i < 10; i++) {
        n++;
        if (i == 3 && rounds++ < 2)
            goto again;
        if (i == 5)
            goto out;
    }
    n = 1000;
    out:
    check(2, n == 5 + 4 + 4 + 6);
    if (0) {
    skipped:
        n = -1;
    }
    if (n > 0)
        goto skipped;
    check(3, n == -1);
    return failed;
}
