// Members of anonymous structs and unions belong to the outer type.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
struct tagged {
    int tag;
    union {
        int number;
        struct { char first, second; };
        float real;
    };
    struct { int inner; } named;
};
int main(void)
{
    struct tagged t = {.tag = 1, .number = 0x4241};
    check(1, t.first == 'A' && t.second == 'B');
    t.real = 2.0f;
    check(2, t.number == 0x40000000);
    struct tagged u = {2, {7}, {9}};
    check(3, u.number == 7 && u.named.inner == 9);
    check(4, &t.number == (int *)&t.real && __builtin_offsetof(struct tagged, second) == 5);
    return failed;
}
