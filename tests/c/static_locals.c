// One object for all calls, initialised once before the program starts.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static int next(void) { static int n = 10; return n++; }
static int *cell(int i) { static int cells[3] = {1, 2}; return &cells[i]; }
static int depth(int n) { static int deepest; if (n > deepest) deepest = n; if (n < 5) depth(n + 1); return deepest; }
static int inner(void)
{
    int total = 0;
    for (int i = 0; i < 3; i++) {
        static int kept = 5;
        int fresh = 5;
        total += kept++ + fresh++;
    }
    return total;
}
int main(void)
{
    check(1, next() == 10);
    check(2, next() == 11);
    *cell(2) += 5;
    check(3, *cell(2) == 5 && *cell(1) == 2);
    check(4, depth(0) == 5);
    check(5, inner() == 5 + 6 + 7 + 15);
    check(6, inner() == 8 + 9 + 10 + 15);
    static const char *text = "abc" + 1;
    check(7, *text == 'b');
    return failed;
}
