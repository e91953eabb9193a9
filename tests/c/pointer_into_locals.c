// Pointers to locals and parameters write what they point to.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static void set(int *p, int v) { *p = v; }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static int twice(int n) { int *p = &n; *p *= 2; return n; }
struct s { int x; struct { char c; int y[2]; } in; };
static int recursive(int n, int *outer)
{
    int mine = n;
    if (n > 0)
        recursive(n - 1, &mine);
    *outer += mine;
    return mine;
}
int main(void)
{
    int a = 1, b = 2;
    set(&a, 7);
    swap(&a, &b);
    check(1, a == 2 && b == 7);
    check(2, twice(21) == 42);
    struct s s = {0};
    set(&s.in.y[1], 5);
    int *p = &s.in.y[0];
    p[1]++;
    check(3, s.in.y[1] == 6);
    struct s *q = &s, **qq = &q;
    (*qq)->x = 3;
    q->in.c = 'z';
    check(4, s.x == 3 && s.in.c == 'z');
    int total = 0;
    recursive(3, &total);
    check(5, total == 3 + 2 + 1 + 0);
    return failed;
}
