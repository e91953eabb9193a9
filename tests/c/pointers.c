// Arithmetic, differences, comparisons, pointers to pointers and to arrays.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    int a[5] = {10, 20, 30, 40, 50}, *p = a, *end = a + 5;
    check(1, *p++ == 10 && *p == 20 && p - a == 1);
    check(2, *++p == 30 && (*p)++ == 30 && a[2] == 31);
    check(3, end - p == 3 && p < end && end > p && p <= p);
    check(4, p[-1] == 20 && *(p + 1) == 40 && 1[p] == 40);
    check(5, (char *)end - (char *)a == 5 * sizeof(int));
    p += 2;
    check(6, *p == 50 && p == &a[4]);
    p -= 4;
    check(7, p == a && !(p != &a[0]));
    int **pp = &p;
    *pp = a + 3;
    check(8, **pp == 40);
    int (*row)[5] = &a;
    check(9, (*row)[1] == 20 && (char *)(row + 1) - (char *)row == sizeof a);
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int (*q)[3] = m;
    q++;
    check(10, (*q)[0] == 4 && q[-1][2] == 3 && *(*(m + 1) + 2) == 6);
    check(11, &m[1][0] - &m[0][0] == 3);
    char *bytes = (char *)&a[1];
    check(12, *bytes == 20 && bytes[1] == 0);
    void *v = &a[2];
    check(13, *(int *)v == 31 && v == (void *)(a + 2));
    int *null = 0;
    check(14, !null && null == (void *)0 && (null ? 0 : 1));
    check(15, (int *)(unsigned long)(a + 1) == a + 1);
    return failed;
}
