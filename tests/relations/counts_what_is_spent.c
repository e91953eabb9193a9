// What was spent and what is left are together what was there, and that is a number of this width. Nothing is left for a second round of the outer loop.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int left = __VERIFIER_nondet_int(), copy = __VERIFIER_nondet_int(), spent = 0;
    while (left == copy && copy > 0) {
        while (left > 0) {
            if (spent == 2147483647)
                reach_error();
            spent++;
            left--;
            copy--;
        }
    }
    return 0;
}
