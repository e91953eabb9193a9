// The hunter runs to the wall and pushes the prey before it. Among many candidates for what it keeps some are too hard.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int hunter = __VERIFIER_nondet_int();
    int prey = __VERIFIER_nondet_int();
    int wall = __VERIFIER_nondet_int();
    if (hunter < 0 || prey < hunter || prey >= wall)
        return 0;
    while (hunter < wall) {
        hunter++;
        if (hunter > prey)
            prey++;
    }
    if (prey != wall)
        reach_error();
    return 0;
}
