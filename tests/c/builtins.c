// Counting bits, swapping bytes, arithmetic that reports overflow.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    check(1, __builtin_clz(1) == 31 && __builtin_ctz(8) == 3 && __builtin_popcount(255) == 8);
    check(2, __builtin_clzll(1) == 63 && __builtin_ctzll(1ull << 40) == 40 && __builtin_popcountll(~0ull) == 64);
    check(3, __builtin_bswap32(0x12345678) == 0x78563412 && __builtin_bswap16(0x1234) == 0x3412);
    check(4, __builtin_bswap64(0x0102030405060708) == 0x0807060504030201);
    check(5, __builtin_expect(5, 1) == 5 && __builtin_parity(7) == 1 && __builtin_ffs(8) == 4 && __builtin_ffs(0) == 0);
    int r;
    check(6, __builtin_add_overflow(2147483647, 1, &r) && r == -2147483647 - 1);
    check(7, !__builtin_sub_overflow(3, 5, &r) && r == -2);
    unsigned char c;
    check(8, __builtin_mul_overflow(100, 3, &c) && c == 44);
    unsigned u;
    check(9, __builtin_sub_overflow(1u, 2u, &u) && u == 4294967295u);
    long long w;
    check(10, !__builtin_mul_overflow(1000000, 1000000, &w) && w == 1000000000000);
    check(11, __builtin_constant_p(5));
    if (0)
        __builtin_unreachable();
    check(12, __builtin_abs(-5) == 5);
    return failed;
}
