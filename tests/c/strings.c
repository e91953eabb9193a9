// String literals: escapes, concatenation, size, arrays with and without room for the end.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static char exact[3] = "abc";
static char longer[6] = "abc";
static char counted[] = "a\0b";
static const char *words[] = {"zero", "one", "two"};
static int named(void) { return __func__[0] == 'n' && sizeof(__func__) == 6; }
int main(void)
{
    check(1, sizeof(exact) == 3 && exact[2] == 'c');
    check(2, longer[3] == 0 && longer[5] == 0);
    check(3, sizeof(counted) == 4 && counted[2] == 'b');
    check(4, sizeof("ab" "cd") == 5 && ("ab" "cd")[2] == 'c');
    check(5, "\x41\101\n"[0] == 65 && "\x41\101\n"[1] == 65 && "\x41\101\n"[2] == 10);
    check(6, words[1][0] == 'o' && *words[2] == 't');
    check(7, *"xyz" == 'x' && 1["xyz"] == 'y');
    char local[] = {'h', 'i', 0};
    check(8, sizeof local == 3);
    char braces[] = {"hey"};
    check(9, sizeof braces == 4 && braces[2] == 'y');
    check(10, '\'' == 39 && '"' == 34 && '\\' == 92 && '\0' == 0);
    check(11, '\377' == -1 && '\x80' == -128);
    check(12, sizeof('a') == sizeof(int));
    check(13, named());
    return failed;
}
