// The value of an assignment is what was stored, after conversion.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    unsigned char c;
    int i = (c = 300);
    check(1, i == 44);
    signed char s;
    check(2, (s = 200) < 0);
    _Bool b;
    check(3, (b = 17) == 1);
    float f;
    double d = f = 0.1;
    check(4, d != 0.1 && d == 0.1f);
    int x, y, z;
    x = y = z = 4;
    check(5, x + y + z == 12);
    check(6, (x += 3) == 7 && (x <<= 2) == 28 && (x %= 10) == 8);
    check(7, (c += 250) == 38);
    short h = 1;
    check(8, (h *= 40000) == -25536);
    int a[3] = {0}, k = 0;
    a[k++] += 5;
    check(9, a[0] == 5 && a[1] == 0 && k == 1);
    int *p = a;
    *p++ |= 2;
    check(10, a[0] == 7 && p == a + 1);
    return failed;
}
