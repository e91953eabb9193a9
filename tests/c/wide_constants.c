// Negative 128-bit constants in constant objects.
// data-model: lp64
// returns: 0
struct s { int x; __int128 m; };
static const struct s g = {1, -77};
static const __int128 h[2] = {-5, (__int128)1 << 100};
static char *const names[] = {"a", "b"};
static const int *const p = &g.x;
int main(void)
{
    struct s l = g;
    if (l.m != -77 || l.x != 1) return 1;
    if (h[0] != -5 || h[1] >> 99 != 2) return 2;
    if (names[1][0] != 'b' || *p != 1) return 3;
    return 0;
}
