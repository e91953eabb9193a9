// Arrays inside structs are copied with them; flexible members are not counted.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
struct buffer { int n; char data[8]; };
struct flexible { int n; int data[]; };
static struct buffer fill(char c)
{
    struct buffer b = {.n = 3};
    for (int i = 0; i < b.n; i++)
        b.data[i] = c + i;
    return b;
}
static int sum(struct buffer b) { int t = 0; while (b.n-- > 0) t += b.data[b.n]; return t; }
static struct { int n; int data[3]; } backing = {3, {1, 2, 3}};
int main(void)
{
    struct buffer a = fill('a'), b = a;
    b.data[0] = 'z';
    check(1, a.data[0] == 'a' && b.data[1] == 'b' && sum(a) == 'a' * 3 + 3);
    check(2, sizeof(struct flexible) == sizeof(int));
    struct flexible *f = (struct flexible *)&backing;
    check(3, f->data[2] == 3);
    check(4, fill('x').data[1] == 'y');
    struct buffer many[2] = {fill('a'), fill('b')};
    many[0] = many[1];
    check(5, many[0].data[2] == 'd');
    return failed;
}
