// Prefix gives the new value, postfix the old one, in the type of the operand.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    int i = 5;
    check(1, i++ == 5 && i == 6 && ++i == 7 && i-- == 7 && --i == 5);
    unsigned char c = 255;
    check(2, c++ == 255 && c == 0 && --c == 255);
    double d = 1.5;
    check(3, d++ == 1.5 && d == 2.5 && --d == 1.5);
    _Bool b = 0;
    check(4, b++ == 0 && b == 1 && ++b == 1);
    struct { int x; } s = {1}, *p = &s;
    p->x++;
    ++p->x;
    check(5, s.x == 3);
    int a[2] = {1, 2}, *q = a;
    check(6, (*q)++ == 1 && *q == 2 && *q++ == 2 && *q == 2);
    enum e { A, B } e = A;
    e++;
    check(7, e == B);
    short m = -32768;
    check(8, m-- == -32768 && m == 32767);
    return failed;
}
