// verdict: safe
// engines: explicit euf
// The counter takes every value, and none of them matters.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned count = 0;
    int last = 0, mode = 0;
    while (1) {
        int input = __VERIFIER_nondet_int();
        count = count + 3;
        last = input;
        if (mode == 0) mode = input == 7 ? 2 : 1;
        else if (mode == 1) mode = count > 100 ? 0 : 2;
        else if (mode == 2) mode = last < 0 ? 1 : 3;
        else mode = 0;
        if (mode > 3) reach_error();
    }
}
