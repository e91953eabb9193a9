// Objects without a name: modifiable, with the lifetime of their block.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
struct p { int x, y; };
static int sum(struct p *p) { return p->x + p->y; }
static int *global = (int[]){1, 2, 3};
static int total(const int *a, int n) { int t = 0; while (n--) t += *a++; return t; }
int main(void)
{
    check(1, sum(&(struct p){3, 4}) == 7);
    check(2, sum(&(struct p){.y = 5}) == 5);
    struct p *q = &(struct p){1, 1};
    q->x += 10;
    check(3, sum(q) == 12);
    check(4, (int[]){4, 5, 6}[1] == 5 && total((int[3]){1, 2}, 3) == 3);
    check(5, (int){7} == 7 && (char){300} == 44);
    global[1] = 20;
    check(6, total(global, 3) == 24);
    int last = 0;
    for (int i = 0; i < 3; i++) {
        int *p = &(int){i * 2};
        ++*p;
        last += *p;
    }
    check(7, last == 1 + 3 + 5);
    check(8, sizeof((int[]){1, 2, 3}) == 3 * sizeof(int));
    check(9, (struct p){1, 2}.y == 2);
    return failed;
}
