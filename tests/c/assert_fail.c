// A failing assertion ends in __assert_fail.
// outcome: error
extern void __assert_fail(const char *, const char *, unsigned, const char *);
static void check(int holds)
{
    holds ? (void)0 : __assert_fail("holds", "file.c", 1, "check");
}
int main(void)
{
    check(1 + 1 == 2);
    check(1 + 1 == 3);
    return 0;
}
