// The lock gives way in the fifth round, and only if each round gets its own key.
// verdict: unsafe
// engines: bmc ufo
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int round = 0;
    while (round < 9) {
        int key = __VERIFIER_nondet_int();
        if (key != round * 7 + 1)
            return 0;
        round++;
        if (round == 5)
            reach_error();
    }
    return 0;
}
