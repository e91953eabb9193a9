// verdict: safe
// engines: explicit kind
// A variable with more values than the machine has modes, but they decide.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int left = 100, noise = 0, done = 0;
    while (!done) {
        noise = __VERIFIER_nondet_int();
        left = left - 1;
        if (left == 0) done = 1;
        if (left < 0) reach_error();
    }
    if (left != 0) reach_error();
    return 0;
}
