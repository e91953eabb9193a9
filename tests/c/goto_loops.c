// Loops made of labels only.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    int i = 0, sum = 0;
    top:
    if (i >= 10)
        goto done;
    if (i % 3 == 0)
        goto next;
    sum += i;
    next:
    i++;
    goto top;
    done:
    check(1, sum == 1 + 2 + 4 + 5 + 7 + 8);
    int a = 48, b = 36;
    euclid:
    if (b) {
        int t = a % b;
        a = b;
        b = t;
        goto euclid;
    }
    check(2, a == 12);
    return failed;
}
