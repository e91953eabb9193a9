// Conversion to a narrower type keeps the low bits; to _Bool it asks for nonzero.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    long long big = 0x123456789abcdef0;
    check(1, (int)big == (int)0x9abcdef0);
    check(2, (short)big == (short)0xdef0);
    check(3, (signed char)big == -16);
    check(4, (unsigned char)big == 0xf0);
    check(5, (_Bool)256 == 1);
    check(6, (_Bool)0.25 == 1);
    check(7, (_Bool)0.0 == 0);
    _Bool flag = 2;
    flag += 1;
    check(8, flag == 1);
    flag--;
    check(9, flag == 0);
    flag--;
    check(10, flag == 1);
    unsigned char c = 255;
    c++;
    check(11, c == 0);
    c -= 1;
    check(12, c == 255);
    short s = 32767;
    s++;
    check(13, s == -32768);
    check(14, (unsigned)-1 == 4294967295u);
    check(15, (unsigned long long)-1 == 18446744073709551615ull);
    check(16, (unsigned long long)(unsigned)-1 == 4294967295ull);
    return failed;
}
