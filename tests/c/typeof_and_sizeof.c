// Types named by expressions; operands that are not evaluated.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
int main(void)
{
    int i = 1;
    __typeof__(i++) j = 5;
    check(1, i == 1 && j == 5);
    typeof(int *) p = &i, q = &j;
    check(2, *p == 1 && *q == 5);
    typeof(i + 1LL) w = 1;
    check(3, sizeof w == 8);
    check(4, sizeof(i++) == 4 && i == 1);
    char c = 1;
    check(5, sizeof c == 1 && sizeof(c + c) == 4 && sizeof(c ? c : c) == 4);
    int a[7];
    check(6, sizeof a / sizeof a[0] == 7 && sizeof(a + 0) == sizeof(int *));
    check(7, sizeof(int[3][4]) == 48 && sizeof "abc" == 4);
    typeof(a) b = {1, 2};
    check(8, sizeof b == sizeof a && b[1] == 2 && b[6] == 0);
    check(9, _Alignof(int) == 4 && _Alignof(char) == 1 && _Alignof(short[5]) == 2);
    const typeof(c) k = 3;
    check(10, k == 3);
    check(11, sizeof(void) == 1 && sizeof(check) == 1);
    check(12, sizeof(struct { char a; int b; }) == 8);
    check(13, _Generic(c, char: 1, int: 2, default: 3) == 1 && _Generic(+c, char: 1, int: 2, default: 3) == 2);
    check(14, _Generic("a", char *: 1, default: 0) && _Generic(1.0f, double: 0, float: 1) && _Generic(&a, int (*)[7]: 1, default: 0));
    _Static_assert(sizeof(int) == 4, "int has four bytes");
    check(15, __builtin_types_compatible_p(int, signed) && !__builtin_types_compatible_p(int, unsigned));
    check(16, __builtin_choose_expr(1, 5, "no") == 5);
    return failed;
}
