// Members are aligned, the size is rounded up; on i386 eight-byte members align to four in structs.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
struct a { char c; int i; };
struct b { char c; long long l; };
struct c { char c; double d; char e; };
struct d { short s; char c[3]; short t; };
struct __attribute__((packed)) p { char c; int i; short s; };
struct o { char c; struct a a; char d; };
struct al { char c; _Alignas(16) char d; };
struct empty {};
union u { char c[5]; int i; };
int main(void)
{
    check(1, sizeof(struct a) == 8 && __builtin_offsetof(struct a, i) == 4);
    check(2, sizeof(struct b) == (sizeof(long) == 8 ? 16 : 12));
    check(3, sizeof(struct c) == (sizeof(long) == 8 ? 24 : 16));
    check(4, sizeof(struct d) == 8 && __builtin_offsetof(struct d, t) == 6);
    check(5, sizeof(struct p) == 7 && _Alignof(struct p) == 1);
    check(6, __builtin_offsetof(struct o, a.i) == 8 && sizeof(struct o) == 16);
    check(7, sizeof(struct al) == 32 && _Alignof(struct al) == 16);
    check(8, sizeof(struct empty) == 0);
    check(9, sizeof(union u) == 8 && _Alignof(union u) == 4);
    check(10, _Alignof(double) == (sizeof(long) == 8 ? 8 : 8) || _Alignof(double) == 4);
    return failed;
}
