// Fall-through, default in the middle, ranges, nested switches, labels inside other statements.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static int middle(int n)
{
    int r = 0;
    switch (n) {
    case 1: r += 1;
    default: r += 10;
    case 2: r += 100; break;
    case 3: r += 1000;
    }
    return r;
}
static int range(int n)
{
    switch (n) {
    case -5 ... -1: return -1;
    case 0: return 0;
    case 'a' ... 'z': return 'l';
    case 1 ... 9: return 1;
    }
    return 99;
}
static int inside(int n)
{
    int r = 0;
    switch (n) {
        r = 1000;
    case 0:
        if (r) {
    case 1:
            r += 5;
        } else
            r += 7;
        while (r < 20) {
    case 2:
            r += 3;
        }
    }
    return r;
}
static int nested(int a, int b)
{
    switch (a) {
    case 0:
        switch (b) {
        case 0: return 1;
        default: break;
        }
    case 1:
        return b;
    }
    return -1;
}
int main(void)
{
    check(1, middle(1) == 111 && middle(2) == 100 && middle(3) == 1000 && middle(4) == 110);
    check(2, range(-3) == -1 && range(0) == 0 && range('q') == 'l' && range(5) == 1 && range(50) == 99);
    check(3, inside(0) == 22 && inside(1) == 20 && inside(2) == 21 && inside(3) == 0);
    check(4, nested(0, 0) == 1 && nested(0, 7) == 7 && nested(1, 3) == 3 && nested(2, 0) == -1);
    switch ((unsigned char)300) { case 44: check(5, 1); break; default: check(5, 0); }
    switch (1LL << 32) { case 0: check(6, 0); break; case 4294967296: check(6, 1); break; default: check(6, 0); }
    switch (5) ;
    switch ((char)-1) { case 255: check(7, 0); break; case -1: check(7, 1); }
    return failed;
}
