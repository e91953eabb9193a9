// break and continue belong to the nearest loop; for runs its step after continue.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    int sum = 0;
    for (int i = 0, j = 10; i < j; i++, j--)
        sum += j - i;
    check(1, sum == 30);
    sum = 0;
    for (int i = 0; i < 10; i++) {
        if (i % 2)
            continue;
        for (;;) {
            sum += i;
            break;
        }
        if (i > 6)
            break;
    }
    check(2, sum == 20);
    int k = 5;
    do
        k--;
    while (k > 0);
    check(3, k == 0);
    do {
        k++;
        if (k == 3)
            continue;
    } while (k < 3);
    check(4, k == 3);
    while (k --> 0)
        ;
    check(5, k == -1);
    int outer = 0;
    for (int i = 0; i < 3; i++)
        switch (i) {
        case 1:
            continue;
        default:
            outer += 10;
            break;
        }
    check(6, outer == 20);
    for (k = 0; k++ < 5;)
        ;
    check(7, k == 6);
    return failed;
}
