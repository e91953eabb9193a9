// Signed arithmetic wraps around under the reachability property.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    int big = 2147483647;
    big++;
    check(1, big < 0);
    check(2, big == -big);
    check(3, big - 1 == 2147483647);
    check(4, big * big == 0);
    unsigned u = 0;
    u--;
    check(5, u == 4294967295u);
    long long w = 9223372036854775807LL;
    check(6, w + 1 < 0);
    check(7, 65535 * 65537 == -1);
    check(8, (short)40000 == -25536);
    return failed;
}
