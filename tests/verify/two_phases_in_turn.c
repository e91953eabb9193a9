// Each phase leads to the other; only both together say that there is no third.
// verdict: safe
// engines: euf ufo
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int phase = 3, given = 0;
    while (__VERIFIER_nondet_int()) {
        if (phase == 3) {
            phase = 8;
            given = given + 1;
        } else if (phase == 8) {
            phase = 3;
            given = given - 1;
        } else {
            reach_error();
        }
        if (given != 0 && given != 1)
            reach_error();
    }
    return 0;
}
