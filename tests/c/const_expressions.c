// What the compiler must compute itself: array sizes, case labels, bit-field widths, assertions.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
enum { N = 3 };
static int a[N * 2 + (N > 2 ? 1 : 100)];
struct s { unsigned x : N + 1; };
_Static_assert(sizeof(a) == 7 * sizeof(int), "size");
static int b[sizeof(struct { char c[N]; })];
static int shifted = 1 << 3 | 0x10 & ~0, unsigned_ = -1 > 0u, wide = 0xffffffffffull >> 36, chars = 'a' + 1;
static long negative = -5 / 2 * 10 + -5 % 3;
int main(void)
{
    check(1, sizeof a / sizeof *a == 7 && sizeof b / sizeof *b == 3);
    struct s s = {31};
    check(2, s.x == 15);
    check(3, shifted == 24 && unsigned_ == 1 && wide == 15 && chars == 'b' && negative == -22);
    switch (6) { case N << 1: check(4, 1); break; default: check(4, 0); }
    switch (-1) { case ~0: check(5, 1); break; default: check(5, 0); }
    check(6, (0 && 1 / 1) == 0);
    return failed;
}
