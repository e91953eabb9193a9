// verdict: safe
// engines: kind euf
// Each round one of three counters grows; only their sum is known.
extern void reach_error(void);
extern unsigned nondet(void);
int main(void) {
    unsigned rounds = 0, fives = 0, threes = 0, others = 0;
    while (nondet()) {
        if (rounds % 5 == 0) fives++;
        else if (rounds % 3 == 0) threes++;
        else others++;
        rounds++;
    }
    if (fives + threes + others != rounds) reach_error();
    return 0;
}
