// An alias and an assembler name make one object or function of two declarations.
// returns: 0
int value;
extern int other_value __attribute__((alias("value")));
extern int third_value __asm__("value");
int twice(int x) { return 2 * x; }
int doubled(int) __attribute__((alias("twice")));
extern int also_twice(int) __asm__("twice");
[[gnu::alias("twice")]] int modern(int);
int main(void)
{
    other_value = 3;
    if (value != 3)
        return 1;
    third_value = 4;
    if (value != 4 || &value != &other_value)
        return 2;
    if (doubled(4) != 8 || also_twice(5) != 10 || modern(6) != 12 || doubled != twice)
        return 3;
    return 0;
}
