// verdict: safe
// engines: kind
// A level rises at most once in each round, so that it is bounded because the rounds are, and never wraps.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int rounds = __VERIFIER_nondet_int(), level = __VERIFIER_nondet_int();
    if (level < 5 || level > 70000 || rounds > 300000)
        return 0;
    for (int round = 0; round < rounds; round++) {
        for (int place = level; place < rounds; place++)
            if (place < 5)
                reach_error();
        if (__VERIFIER_nondet_int())
            level++;
    }
    return 0;
}
