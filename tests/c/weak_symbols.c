// A weak symbol is null where nothing defines it, and the definition where there is one.
// returns: 0
extern int hook(int) __attribute__((weak));
extern int setting __attribute__((weak));
extern char table[] __attribute__((weak));
struct pair { int first, second; };
extern struct pair place __attribute__((weak));
int given(int) __attribute__((weak));
int given(int x) { return x + 1; }
__attribute__((weak)) int number = 5;
static int (*held)(int) = hook;
static int *kept = &setting;
static char *text = table;
int main(void)
{
    int (*called)(int) = hook;
    if (hook || held || called != 0)
        return 1;
    if (hook && hook(3) > 0)
        return 2;
    if (&setting != 0 && setting == 3)
        return 3;
    if (kept || text || table != 0)
        return 4;
    if (&place != 0)
        return 5;
    called = given;
    if (!given || called(2) != 3)
        return 6;
    if (&number == 0 || number != 5)
        return 7;
    return 0;
}
