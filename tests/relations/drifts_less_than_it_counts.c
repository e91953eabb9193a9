// Each turn takes one step up or down, so that the position stays between minus the number of turns and that number, however many they are.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int turns = __VERIFIER_nondet_int(), turn = 1, position = 0;
    while (turn < turns) {
        if (__VERIFIER_nondet_int()) {
            if (position == 2147483647)
                reach_error();
            position++;
        } else {
            if (position == -2147483647 - 1)
                reach_error();
            position--;
        }
        turn++;
    }
    return 0;
}
