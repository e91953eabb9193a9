// A typedef name can be a variable, a member, a label and a parameter elsewhere.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
typedef int T;
typedef char C, *P;
struct holder { T T; C C; };
static int use(T T) { return T + 1; }
static int cast_or_call(int (*f)(int)) { return (f)(3); }
typedef int F(int);
static F use;
int main(void)
{
    T a = 3;
    struct holder h = {.T = 1, .C = 'c'};
    check(1, h.T == 1 && h.C == 'c' && use(4) == 5);
    {
        int T = 5;
        int b = T * a;
        check(2, b == 15);
        goto C;
    C:
        check(3, sizeof(T) == sizeof(int));
    }
    {
        C T = 'x', *p = &T;
        P q = p;
        check(4, sizeof(T) == 1 && *q == 'x');
    }
    check(5, cast_or_call(use) == 4);
    unsigned T2 = 1;
    {
        typedef long T;
        check(6, sizeof(T) == sizeof(long));
        T c = 2;
        T2 += c;
    }
    check(7, T2 == 3);
    const T constant = 4;
    check(8, (T)-1 == -1 && constant == 4);
    return failed;
}
