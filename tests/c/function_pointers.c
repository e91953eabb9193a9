// Pointers to functions: called with and without star, in tables, as arguments and results.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static int add(int a, int b) { return a + b; }
static int mul(int a, int b) { return a * b; }
typedef int (*operation)(int, int);
static operation choose(int n) { return n ? mul : add; }
static int (*plain(int n))(int, int) { return n ? &mul : &add; }
static int apply(int f(int, int), int a) { return f(a, a); }
static operation table[] = {add, &mul, [3] = mul};
struct object { int state; int (*method)(struct object *, int); };
static int bump(struct object *o, int by) { return o->state += by; }
int main(void)
{
    int (*f)(int, int) = add;
    check(1, f(2, 3) == 5 && (*f)(2, 3) == 5 && (**f)(2, 3) == 5);
    f = &mul;
    check(2, f(2, 3) == 6 && f == mul && f != add);
    check(3, choose(0)(4, 5) == 9 && plain(1)(4, 5) == 20);
    check(4, apply(add, 4) == 8 && apply(&mul, 4) == 16);
    check(5, table[1](3, 3) == 9 && table[2] == 0 && table[3](2, 2) == 4 && sizeof table == 4 * sizeof(void *));
    struct object o = {1, bump};
    check(6, o.method(&o, 5) == 6 && o.state == 6);
    int sum = 0;
    for (int i = 0; i < 2; i++)
        sum += table[i](10, i + 2);
    check(7, sum == 12 + 30);
    check(8, (sum > 100 ? add : mul)(6, 7) == 42);
    return failed;
}
