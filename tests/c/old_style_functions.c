// Definitions without a prototype: arguments are promoted, then converted to the parameter types.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static int add(a, b, c)
    char a;
    short b;
    int c;
{
    return a + b + c;
}
static implicit(x) { return x * 2; }
static double half(d) double d; { return d / 2; }
static int first();
static int first(p) int p[]; { return p[0]; }
int main(void)
{
    int array[2] = {8, 9};
    check(1, add(1, 2, 3) == 6);
    check(2, add(300, 70000, 1) == 44 + 4464 + 1);
    check(3, implicit(21) == 42);
    check(4, half(5.0) == 2.5);
    check(5, first(array) == 8);
    return failed;
}
