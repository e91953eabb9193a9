// Bit-fields wrap at their width, sign by their type, and promote to int.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
struct fields {
    unsigned u : 3;
    int s : 3;
    _Bool b : 1;
    unsigned char c : 5;
    long long wide : 40;
};
int main(void)
{
    struct fields f = {0};
    f.u = 9;
    check(1, f.u == 1);
    f.s = 5;
    check(2, f.s == -3);
    f.b = 4;
    check(3, f.b == 1);
    f.c = 255;
    check(4, f.c == 31);
    f.wide = 1LL << 39;
    check(5, f.wide == -(1LL << 39));
    f.u = 7;
    f.u++;
    check(6, f.u == 0);
    check(7, f.u - 1 < 0);
    check(8, (f.s = 4) == -4);
    check(9, (f.u += 12) == 4);
    f.s = 3;
    check(10, f.s++ == 3 && f.s == -4);
    check(11, --f.s == 3);
    check(12, f.b == 1 && f.c == 31 && f.wide < 0);
    return failed;
}
