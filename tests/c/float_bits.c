// Bytes of a float are its IEEE encoding, whether written by a store or by memcpy.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
extern void *memcpy(void *, const void *, __typeof__(sizeof(0)));
int main(void)
{
    double d = -2.5;
    unsigned long long bits;
    memcpy(&bits, &d, sizeof d);
    check(1, bits == 0xc004000000000000ull);
    bits ^= 1ull << 63;
    memcpy(&d, &bits, sizeof d);
    check(2, d == 2.5);
    union { float f; unsigned u; } u = {.u = 0x3fc00000};
    check(3, u.f == 1.5f);
    u.f *= -2;
    check(4, u.u == 0xc0400000);
    return failed;
}
