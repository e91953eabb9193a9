// An element given again, by position after a range, is replaced as a whole.
// returns: 0
struct s { short a; double d; short c; };
static struct s g[4] = {{.a = 57}, [1 ... 3] = {1, 2.0, 4}, [2] = {5, 6.0, 7}, {.a = 15}};
static struct s k[4] = {[1 ... 3] = {1, 2.0, 4}, [1] = {1}, {2}, {.c = 5}};
static char t[3][4] = {[0 ... 2] = "abc", [0] = "x", "y"};
int main(void)
{
    if (g[3].a != 15 || g[3].d != 0 || g[3].c != 0) return 1;
    if (k[1].d != 0 || k[2].a != 2 || k[2].d != 0 || k[3].a != 0 || k[3].c != 5) return 2;
    if (t[0][1] != 0 || t[1][0] != 'y' || t[1][2] != 0 || t[2][2] != 'c') return 3;
    return 0;
}
