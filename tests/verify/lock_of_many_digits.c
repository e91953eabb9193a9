// verdict: unsafe
// engines: explicit bmc
// Nine digits in a row open the door; the states are few, the runs are many.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int stage = 0;
    int tries = 0;
    while (1) {
        int digit = __VERIFIER_nondet_int();
        tries = tries + 1;
        if (digit < 0 || digit > 9) return 0;
        if (stage == 0 && digit == 3) stage = 1;
        else if (stage == 1 && digit == 1) stage = 2;
        else if (stage == 2 && digit == 4) stage = 3;
        else if (stage == 3 && digit == 1) stage = 4;
        else if (stage == 4 && digit == 5) stage = 5;
        else if (stage == 5 && digit == 9) stage = 6;
        else if (stage == 6 && digit == 2) stage = 7;
        else if (stage == 7 && digit == 6) stage = 8;
        else if (stage == 8 && digit == 5) stage = 9;
        else stage = 0;
        if (stage == 9) reach_error();
    }
}
