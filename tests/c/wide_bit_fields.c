// Bit-fields wider than int, where all compilers agree.
// returns: 0
struct s { unsigned long long a : 40; long long b : 35; unsigned long long c : 53; } s;
int main(void)
{
    s.a = ~0ull;
    s.b = -2;
    s.c = 1ull << 52;
    if (s.a != 0xffffffffffull || s.a + 1ull != 0x10000000000ull || s.b != -2 || s.c >> 52 != 1)
        return 1;
    s.a++;
    if (s.a != 0)
        return 2;
    s.b -= 1;
    return s.b == -3 ? 0 : 3;
}
