// On x86-64 a va_list is an array: a function that gets one moves its caller's.
// returns: 0
// data-model: lp64
typedef __builtin_va_list va_list;
static int next(va_list list) { return __builtin_va_arg(list, int); }
static int through(va_list *list) { return __builtin_va_arg(*list, int); }
static int f(int n, ...)
{
    va_list list, copy;
    va_list many[2], *p = many;
    __builtin_va_start(list, n);
    __builtin_va_copy(copy, list);
    int r = next(list);
    r = 10 * r + next(list);
    r = 10 * r + through(&list);
    r = 10 * r + __builtin_va_arg(copy, int);
    __builtin_va_start(many[0], n);
    __builtin_va_end(*p++);
    return p == many + 1 && sizeof(va_list) == 24 ? r : 0;
}
int main(void) { return f(3, 1, 2, 3) == 1231 ? 0 : 1; }
