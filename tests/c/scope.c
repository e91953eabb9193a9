// Inner declarations hide outer ones from their declarator on, not before.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static int x = 1;
static int f(int x) { { int x = 5; x++; } return x; }
int main(void)
{
    check(1, x == 1);
    int x = 10;
    {
        extern int failed_marker(void);
        int y = x;
        int x = y + 1;
        check(2, x == 11 && y == 10);
        for (int x = 0; x < 3; x++) {
            int x = 100;
            x++;
            y += x;
        }
        check(3, x == 11 && y == 10 + 303);
    }
    check(4, x == 10 && f(7) == 7);
    {
        int size = sizeof(x);
        char x[3];
        check(5, size == sizeof(int) && sizeof(x) == 3);
    }
    enum { A = 1 };
    {
        enum { B = A + 1, A = 10, C = A };
        check(6, A == 10 && B == 2 && C == 10);
    }
    check(7, A == 1);
    struct s { int a; };
    {
        struct s { char c[20]; };
        check(8, sizeof(struct s) == 20);
    }
    check(9, sizeof(struct s) == sizeof(int));
    return failed;
}
