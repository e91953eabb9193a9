// Single and double precision, conversions both ways, comparisons with NaN.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    float f = 0.1f;
    double d = 0.1;
    check(1, f != d);
    check(2, (float)d == f);
    check(3, f + f == 0.2f);
    check(4, 0.1 + 0.2 != 0.3);
    check(5, (int)2.9 == 2 && (int)-2.9 == -2);
    check(6, (unsigned char)200.5 == 200);
    check(7, (float)16777217 == 16777216.0f);
    check(8, (double)9007199254740993LL == 9007199254740992.0);
    check(9, (float)4294967295u == 4294967296.0f);
    double zero = 0.0, infinity = 1.0 / zero, nan = zero / zero;
    check(10, infinity > 1e308 && -infinity < 0);
    check(11, nan != nan && !(nan < 1) && !(nan >= 1));
    check(12, 1 / 2 == 0 && 1 / 2. == 0.5 && 7 / 2 * 2.0 == 6);
    check(13, -0.0 == 0.0 && 1 / -zero < 0);
    check(14, sizeof(1.0f * 1) == 4 && sizeof(1.0f * 1.0) == 8);
    check(15, 0x1.8p1 == 3.0 && 1e2f == 100 && .5 == 5e-1);
    f = 3;
    f /= 2;
    check(16, f == 1.5f);
    int i = 7;
    i *= 1.5;
    check(17, i == 10);
    i += 0.9;
    check(18, i == 10);
    check(19, (long long)1e18 == 1000000000000000000LL);
    check(20, !0.0 && !!0.5 && (0.5 && 1));
    check(21, (unsigned long long)1.8446744073709550e19 == 18446744073709549568ull);
    check(22, (float)0xffffffffffffffffull == 18446744073709551616.0f);
    return failed;
}
