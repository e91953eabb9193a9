// memcpy, memmove, memset, memcmp on objects and parts of objects.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
typedef __typeof__(sizeof(0)) size_t;
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
struct s { int a; char b[4]; };
int main(void)
{
    struct s x = {1, "abc"}, y;
    check(1, memcpy(&y, &x, sizeof x) == &y && y.a == 1 && y.b[2] == 'c');
    memset(&y.b, 0x41, 2);
    check(2, y.b[0] == 'A' && y.b[1] == 'A' && y.b[2] == 'c');
    int a[5] = {1, 2, 3, 4, 5};
    memmove(a + 1, a, 4 * sizeof *a);
    check(3, a[0] == 1 && a[1] == 1 && a[4] == 4);
    memmove(a, a + 1, 4 * sizeof *a);
    check(4, a[0] == 1 && a[1] == 2 && a[3] == 4 && a[4] == 4);
    memset(a, 255, sizeof a);
    check(5, a[3] == -1);
    check(6, memcmp("abc", "abd", 3) < 0 && memcmp("abc", "abd", 2) == 0 && memcmp("\xff", "\1", 1) > 0);
    memset(a, 0, 0);
    check(7, a[0] == -1 && memcmp(a, a, 0) == 0);
    unsigned char low = 0x34;
    memcpy((char *)a + 1, &low, 1);
    check(8, a[0] == (int)0xffff34ff);
    return failed;
}
