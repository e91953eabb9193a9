// `auto` with a pointer or a structure as initialiser, which only C23 has.
// returns: 0
// compiled: no
struct pair { int x, y; };
static struct pair make(int x) { return (struct pair){x, x + 1}; }
int main(void)
{
    int n = 3;
    auto p = &n;
    auto s = "abc";
    const auto q = make(4);
    auto i = 7;
    *p = 5;
    return n == 5 && s[1] == 'b' && q.y == 5 && i == 7 ? 0 : 1;
}
