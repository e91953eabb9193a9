// Qualifiers change no value of an automatic or constant object.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static const int table[] = {1, 2, 3};
static const struct { const char *name; const int value; } entries[] = {{"a", 1}, {"b", 2}};
int main(void)
{
    volatile int v = 5;
    v += 2;
    check(1, v == 7);
    v = 9;
    check(2, v++ == 9 && v == 10);
    int sum = 0;
    for (const int *q = table; q < table + 3; q++)
        sum += *q;
    check(3, sum == 6);
    check(4, entries[1].name[0] == 'b' && entries[1].value == 2);
    const volatile int both = 4;
    check(5, both == 4);
    register int r = 3;
    check(6, r * 2 == 6);
    int *restrict only = &sum;
    check(7, *only == 6);
    return failed;
}
