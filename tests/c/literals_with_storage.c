// Compound literals with a storage class.
// returns: 0
// compiled: no
struct pair { int x, y; };
static int *counter(void) { return &(static int){5}; }
static struct pair *pairs(int n) { return &(static struct pair[2]){{1, 2}, {3}}[n]; }
static const char *text(void) { return (static const char[]){"abc"}; }
int main(void)
{
    int *p = counter();
    ++*p;
    if (counter() != p || *counter() != 6)
        return 1;
    pairs(1)->y = 7;
    if (pairs(0)->y != 2 || pairs(1)->x != 3 || pairs(1)->y != 7)
        return 2;
    if (text()[2] != 'c' || sizeof (static const char[]){"abc"} != 4)
        return 3;
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += ++*&(static int){0} + (constexpr int){1} + (register int){1};
    return sum == 1 + 2 + 3 + 6 ? 0 : 4;
}
