// ({ }) has the value of its last expression; its declarations are its own.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static int f(int n) { return ({ int t = n * 2; if (t > 10) t = 10; t; }) + 1; }
int main(void)
{
    int x = 3;
    int y = ({ int x = 10; x += 5; x; });
    check(1, y == 15 && x == 3);
    check(2, f(3) == 7 && f(30) == 11);
    int n = 0;
    int z = ({ for (int i = 0; i < 4; i++) n += i; n; }) * 2;
    check(3, z == 12);
    check(4, sizeof(({ char c = 1; c; })) == 1);
    int w = ({ goto skip; skip: 5; });
    check(5, w == 5);
    ({ x = 9; });
    check(6, x == 9);
    for (int i = 0; ({ i < 3; }); i++)
        x += ({ if (i == 1) continue; i; });
    check(7, x == 11);
    struct s { int a; } s = ({ struct s t = {4}; t; });
    check(8, s.a == 4);
    return failed;
}
