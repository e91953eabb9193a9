// Arrays whose length is computed; sizeof is evaluated, and each declaration counts anew.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static int sum(int n, int rows[n][2])
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += rows[i][0] * rows[i][1];
    return total;
}
static int calls;
static int count(int n) { calls++; return n; }
// The length of a parameter is evaluated on entry, although the parameter is a pointer.
static int counted(int n, int a[count(n)]) { return a[n - 1]; }
int main(void)
{
    int n = 3;
    int a[n], b[n + 1][2];
    check(1, sizeof a == 3 * sizeof(int));
    check(2, sizeof b == 8 * sizeof(int) && sizeof b[0] == 2 * sizeof(int));
    n = 10;
    check(3, sizeof a == 3 * sizeof(int));
    for (int i = 0; i < 3; i++)
        a[i] = i;
    check(4, a[2] == 2);
    for (int i = 0; i < 4; i++) {
        b[i][0] = i;
        b[i][1] = i + 1;
    }
    check(5, sum(4, b) == 0 + 2 + 6 + 12);
    int total = 0;
    for (int i = 1; i < 4; i++) {
        char v[i];
        v[i - 1] = i;
        total += sizeof v * v[i - 1];
    }
    check(6, total == 1 + 4 + 9);
    int m = 2;
    check(7, sizeof(int[m++]) == 2 * sizeof(int) && m == 3);
    typedef int row[m];
    m = 7;
    row r;
    check(8, sizeof r == 3 * sizeof(int));
    int (*p)[m] = 0;
    check(9, sizeof *p == 7 * sizeof(int) && p == 0);
    int whole[3] = {1, 2, 3};
    check(10, counted(2, whole) == 2 && calls == 1 && counted(3, whole) == 3 && calls == 2);
    return failed;
}
