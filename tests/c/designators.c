// Designators go anywhere, in any order; what follows continues from there; the rest is zero.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
struct point { int x, y; };
struct line { struct point from, to; int tags[4]; };
static struct line global = {.to.y = 4, .from = {1, 2}, .tags[2] = 7, 8};
static int sparse[] = {[5] = 1, 2, [1] = 3, 4};
static int ranged[6] = {[1 ... 3] = 5, [2] = 9};
static int matrix[2][3] = {[1] = {[1] = 5}, [0][2] = 6};
int main(void)
{
    check(1, global.from.x == 1 && global.from.y == 2 && global.to.x == 0 && global.to.y == 4);
    check(2, global.tags[2] == 7 && global.tags[3] == 8 && global.tags[0] == 0);
    check(3, sizeof(sparse) / sizeof(sparse[0]) == 7);
    check(4, sparse[5] == 1 && sparse[6] == 2 && sparse[1] == 3 && sparse[2] == 4 && sparse[0] == 0);
    check(5, ranged[0] == 0 && ranged[1] == 5 && ranged[2] == 9 && ranged[3] == 5 && ranged[4] == 0);
    check(6, matrix[1][1] == 5 && matrix[0][2] == 6 && matrix[1][2] == 0);
    struct line local = {.tags = {1, [3] = 2}, .from.y = global.to.y};
    check(7, local.tags[0] == 1 && local.tags[3] == 2 && local.from.y == 4 && local.from.x == 0 && local.to.x == 0);
    struct point old = {y: 3, x: 4};
    check(8, old.x == 4 && old.y == 3);
    return failed;
}
