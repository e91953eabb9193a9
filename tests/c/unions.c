// All members share the same bytes; little-endian order shows.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
union word { unsigned u; unsigned char b[4]; short s[2]; struct { unsigned lo : 12, hi : 20; } f; };
union anything { char c; long long l; struct { int x, y; }; };
int main(void)
{
    union word w = {0x12345678};
    check(1, w.b[0] == 0x78 && w.b[3] == 0x12);
    check(2, w.s[1] == 0x1234);
    check(3, w.f.lo == 0x678 && w.f.hi == 0x12345);
    w.b[1] = 0xff;
    check(4, w.u == 0x1234ff78);
    union anything a = {.l = 0x100000002};
    check(5, a.x == 2 && a.y == 1 && a.c == 2);
    union word v = w;
    v.s[0] = 0;
    check(6, v.u == 0x12340000 && w.u == 0x1234ff78);
    check(7, (void *)&w == (void *)&w.b[0]);
    check(8, ((union word)5u).u == 5);
    union { float f; unsigned u; } pun = {1.0f};
    check(9, pun.u == 0x3f800000);
    return failed;
}
