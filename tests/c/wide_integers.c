// 128-bit integers.
// data-model: lp64
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    __int128 a = (__int128)1 << 100;
    unsigned __int128 u = -1;
    check(1, a >> 98 == 4);
    check(2, (unsigned long long)(u >> 64) == ~0ull);
    check(3, (long long)(a * 3 / a) == 3);
    check(4, -a < 0 && (a | 5) % 8 == 5);
    check(5, u + 1 == 0 && u / 3 * 3 == u);
    check(6, (double)a == 1267650600228229401496703205376.0);
    check(7, sizeof a == 16);
    return failed;
}
