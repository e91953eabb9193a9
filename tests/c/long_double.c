// `long double` is the x87 format: 64 significant bits, ten bytes, rounding to nearest even.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
union view { long double value; unsigned long long low; unsigned char bytes[sizeof(long double)]; };
struct pair { char c; long double l; int i; };
static union view tenth = {0.1L};
static const long double table[3] = {1.5L, -0.1L, 1e4000L};
static struct pair pairs[2] = {{1, 2.5L, 7}, {2, -2.5L, 8}};
static unsigned head(long double value)
{
    union view view;
    view.value = value;
    return view.bytes[9] << 8 | view.bytes[8];
}
static unsigned long long low(long double value)
{
    union view view;
    view.value = value;
    return view.low;
}
static long double sum(int n, ...)
{
    __builtin_va_list list;
    long double total = 0;
    __builtin_va_start(list, n);
    while (n--)
        total += __builtin_va_arg(list, long double);
    __builtin_va_end(list);
    return total;
}
static long double root(long double x)
{
    long double guess = x, before = 0;
    while (guess != before) {
        before = guess;
        guess = (guess + x / guess) / 2;
        if (guess == before * 1.0L)
            break;
    }
    return guess;
}
int main(void)
{
    check(1, tenth.low == 0xcccccccccccccccdull && tenth.bytes[8] == 0xfb && tenth.bytes[9] == 0x3f);
    check(2, tenth.bytes[sizeof(long double) - 1] == 0); // Padding of a static object is zero.
    check(3, low(18446744073709551615.0L) == 18446744073709551615ull && head(18446744073709551615.0L) == 0x403e);
    check(4, low(1.0L + 1e-19L) == 0x8000000000000001ull);
    check(5, low(table[1] * 3) == 0x999999999999999aull && head(table[1] * 3) == 0xbffd);
    check(6, table[2] > 1e3999L && table[2] * table[2] == __builtin_infl() && table[2] / 1e4000L == 1);
    check(7, head(3e-4945L) == 0 && low(3e-4945L) > 0 && low(3e-4945L) * 3.6451995318824746025e-4951L == 3e-4945L);
    struct pair copy = pairs[1];
    check(8, copy.c == 2 && copy.l == -2.5L && copy.i == 8);
    unsigned long long largest = 18446744073709551615ull;
    long double exact = largest;
    check(9, (unsigned long long)exact == largest && (float)exact == 18446744073709551616.0f);
    check(10, exact - 1 == 18446744073709551614.0L && exact + 1 == 18446744073709551616.0L);
    check(11, (double)0.1L == 0.1 && 0.1L != 0.1 && (float)0.1L == 0.1f);
    check(12, 1.0L / 3 * 3 == 1.0L && 1.0L / 10 == 0.1L);
    check(13, sum(3, 0.5L, 1e-19L, -0.5L) == 1e-19L - (1e-19L - (0.5L + 1e-19L - 0.5L)));
    long double nan = __builtin_nanl("");
    check(14, nan != nan && !(nan < 1) && !(nan > 1) && low(nan) == 0xc000000000000000ull);
    check(15, __builtin_signbit(-0.0L) && !__builtin_signbit(0.0L) && -0.0L == 0.0L);
    check(16, root(2) * root(2) > 1.9999999999999999998L && root(2) * root(2) < 2.0000000000000000003L);
    check(17, low(root(2)) == 0xb504f333f9de6484ull);
    union view view;
    view.low = 0xc000000000000000ull;
    view.bytes[8] = 0xff;
    view.bytes[9] = 0x3f;
    check(18, view.value == 1.5L);
    long long negative = -9223372036854775807ll;
    check(19, (long long)(long double)negative == negative && (int)-3.99L == -3 && (_Bool)1e-4940L);
    int i = 7;
    long double half = i;
    half /= 2;
    half++;
    check(20, half == 4.5L && (i += 0.25L, i == 7));
    return failed;
}
