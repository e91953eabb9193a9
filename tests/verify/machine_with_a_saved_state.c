// verdict: safe
// engines: refine
// The machine may stay anywhere for long, and takes its next state from a variable: which values never meet proves it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int state = 10, saved = 0, is_paid = 0;
    for (;;) {
        if (state == 10) {
            is_paid = 0;
            if (__VERIFIER_nondet_int()) { saved = 20; state = 99; }
        } else if (state == 20) {
            is_paid = 1;
            if (__VERIFIER_nondet_int()) { saved = 30; state = 99; }
        } else if (state == 30) {
            if (is_paid == 0) reach_error();
            if (__VERIFIER_nondet_int()) state = 10;
        } else if (state == 99) {
            if (__VERIFIER_nondet_int()) state = saved;
        }
    }
}
