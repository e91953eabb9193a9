// verdict: safe
// engines: kind
// What one counter gains another loses: x - y stays i - j, and j + k never falls below n.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    int x = i, y = j, up = 0, down = __VERIFIER_nondet_int();
    int n = __VERIFIER_nondet_int();
    if (n < 1 || down < n) return 0;
    while (x != 0) {
        x = x - 1;
        y = y - 1;
    }
    if (i == j && y != 0) reach_error();
    while (up < n) {
        up = up + 1;
        down = down - 1;
    }
    if (down < 0) reach_error();
    return 0;
}
