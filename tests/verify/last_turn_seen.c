// What was seen last is never negative: the first turns reset it, later ones copy a counter that starts at zero.
// verdict: safe
// engines: euf ufo
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int turns = __VERIFIER_nondet_int();
    int turn = 0, seen = 0;
    while (turn < turns) {
        if (turn <= 2)
            seen = 0;
        else
            seen = turn;
        turn++;
    }
    if (seen < 0)
        reach_error();
    return 0;
}
