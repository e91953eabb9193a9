// Operands narrower than int become int before anything is computed with them.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    unsigned char a = 200, b = 100;
    signed char s = -1;
    unsigned short h = 65535;
    check(1, a + b == 300);
    check(2, (unsigned char)(a + b) == 44);
    check(3, ~a == -201);
    check(4, -h == -65535);
    check(5, s < a);
    check(6, h * 2 == 131070);
    check(7, sizeof(a + a) == sizeof(int));
    check(8, sizeof(+h) == sizeof(int));
    check(9, (a << 4) == 3200);
    check(10, (s >> 3) == -1);
    check(11, !s == 0 && sizeof(!s) == sizeof(int));
    check(12, (char)a == -56);
    return failed;
}
