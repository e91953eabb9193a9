// C23's attributes mean what GNU's mean.
// returns: 0
struct [[gnu::packed]] packed { char c; int i; };
struct inside { char c; [[gnu::aligned(8)]] char d; };
[[gnu::mode(DI)]] typedef int wide;
[[nodiscard, maybe_unused]] static int f(void) { return 1; }
int main(void)
{
    [[maybe_unused]] int x [[gnu::aligned(16)]] = 1;
    switch (x) {
    case 1:
        x++;
        [[fallthrough]];
    default:
        x++;
    }
    return sizeof(struct packed) == 5 && sizeof(struct inside) == 16 && sizeof(wide) == 8 && f() == 1 && x == 3 ? 0 : 1;
}
