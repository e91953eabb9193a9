// A server that answers about cells of its choice for as long as it likes, between loops that fill and copy.
// verdict: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int source[5000], copy[5000];
int main(void)
{
    int filled = __VERIFIER_nondet_int();
    if (filled < 0 || filled > 5000) return 0;
    for (int i = 0; i < filled; i++) source[i] = i;
    for (int i = 0; i < filled; i++) copy[i] = source[i];
    while (__VERIFIER_nondet_int()) {
        int asked = __VERIFIER_nondet_int();
        if (asked < 0 || asked >= filled) continue;
        if (copy[asked] != asked) reach_error();
    }
    return 0;
}
