// Arguments and results are converted to the declared types.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static int byte(unsigned char c) { return c; }
static signed char narrow(int n) { return n; }
static _Bool truth(int n) { return n; }
static unsigned long long widen(int n) { return n; }
static float single(double d) { return d; }
static int pointer(_Bool b) { return b; }
int main(void)
{
    int x = 1;
    check(1, byte(300) == 44 && byte(-1) == 255);
    check(2, narrow(200) == -56);
    check(3, truth(256) == 1);
    check(4, widen(-1) == ~0ull);
    check(5, single(0.1) == 0.1f);
    check(6, pointer(&x) == 1 && byte(3.99) == 3);
    return failed;
}
