// Variable arguments: promoted, fetched by type, copied, handed on.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
typedef __builtin_va_list va_list;
static long long vsum(const char *kinds, va_list list)
{
    long long total = 0;
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': total += __builtin_va_arg(list, int); break;
        case 'u': total += __builtin_va_arg(list, unsigned); break;
        case 'q': total += __builtin_va_arg(list, long long); break;
        case 'd': total += (int)__builtin_va_arg(list, double); break;
        case 's': total += __builtin_va_arg(list, const char *)[0]; break;
        case 'p': total += *__builtin_va_arg(list, int *); break;
        }
    return total;
}
static long long sum(const char *kinds, ...)
{
    va_list list, copy;
    __builtin_va_start(list, kinds);
    __builtin_va_copy(copy, list);
    long long first = vsum(kinds, list), second = vsum(kinds, copy);
    __builtin_va_end(list);
    __builtin_va_end(copy);
    return first == second ? first : -1;
}
struct pair { int a; long long b; };
static long long structs(int n, ...)
{
    va_list list;
    long long total = 0;
    __builtin_va_start(list, n);
    while (n--) {
        struct pair p = __builtin_va_arg(list, struct pair);
        total = total * 10 + p.a + p.b;
    }
    __builtin_va_end(list);
    return total;
}
int main(void)
{
    int x = 7;
    char c = 3;
    float f = 2.5f;
    check(1, sum("") == 0);
    check(2, sum("iii", 1, c, (short)-2) == 2);
    check(3, sum("iqi", 1, 1LL << 40, 2) == (1LL << 40) + 3);
    check(4, sum("dd", f, 3.75) == 5);
    check(5, sum("spu", "A", &x, 10u) == 65 + 7 + 10);
    check(6, sum("iiiiiiiiidddddddddd", 1, 2, 3, 4, 5, 6, 7, 8, 9, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.) == 100);
    check(7, structs(2, (struct pair){1, 2}, (struct pair){3, 4}) == 37);
    return failed;
}
