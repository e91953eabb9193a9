// Inner braces may be left out; the elements are handed out in order.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
struct pair { int a[2]; char c; };
static struct pair pairs[2] = {1, 2, 3, 4, 5, 6};
static int grid[2][2] = {1, 2, 3};
static struct pair mixed[2] = {{{1}, 2}, 3};
int main(void)
{
    check(1, pairs[0].a[1] == 2 && pairs[0].c == 3 && pairs[1].a[0] == 4 && pairs[1].c == 6);
    check(2, grid[0][1] == 2 && grid[1][0] == 3 && grid[1][1] == 0);
    check(3, mixed[0].a[0] == 1 && mixed[0].a[1] == 0 && mixed[0].c == 2 && mixed[1].a[0] == 3);
    struct pair p = {1, 2};
    struct pair q[] = {p, 7, 8, 9};
    check(4, sizeof(q) / sizeof(*q) == 2);
    check(5, q[0].a[1] == 2 && q[0].c == 0 && q[1].a[1] == 8 && q[1].c == 9);
    int scalar = {{5}};
    check(6, scalar == 5);
    return failed;
}
