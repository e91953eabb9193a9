// Declarations in all orders and places.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
inline static int one(void) { return 1; }
int static two(void) { return 2; }
static long int unsigned long_order = 3;
static int a = 1, *b = &a, c[2] = {2, 3}, (*d)(void) = two, e(void);
static int e(void) { return 6; }
extern int outside[];
int outside[3] = {7, 8, 9};
static int (*(*nested)(int))[3];
static int (*give(int n))[3] { return n ? &outside : 0; }
typedef struct node node;
struct node { node *next; int v; };
static __inline__ __attribute__((always_inline, unused)) int three(void) { return 3; }
int main(void)
{
    check(1, one() + two() + three() == 6);
    check(2, *b == 1 && c[1] == 3 && d() == 2 && e() == 6 && long_order == 3);
    check(3, outside[2] == 9 && sizeof outside == 12);
    nested = give;
    check(4, (*nested(1))[1] == 8 && nested(0) == 0);
    node x = {0, 4}, y = {&x, 5};
    check(5, y.next->v == 4);
    extern int outside[];
    check(6, outside[0] == 7);
    ;
    return failed;
}
