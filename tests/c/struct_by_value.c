// A struct argument is a copy, and so is a struct result.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
struct inner { int a[3]; char c; };
struct outer { struct inner in; long long l; };
static struct outer change(struct outer o)
{
    o.in.a[1] = 99;
    o.l++;
    return o;
}
static struct inner make(int n) { return (struct inner){{n, n + 1, n + 2}, 'x'}; }
int main(void)
{
    struct outer o = {{{1, 2, 3}, 'c'}, 10}, p;
    p = change(o);
    check(1, o.in.a[1] == 2 && o.l == 10);
    check(2, p.in.a[1] == 99 && p.l == 11 && p.in.c == 'c');
    check(3, make(5).a[2] == 7);
    check(4, make(1).c == 'x');
    o.in = make(40);
    check(5, o.in.a[0] == 40 && o.l == 10);
    p = o;
    p.in.a[0]++;
    check(6, o.in.a[0] == 40 && p.in.a[0] == 41);
    check(7, (1 ? o : p).in.a[0] == 40);
    check(8, (p = o).in.a[0] == 40);
    return failed;
}
