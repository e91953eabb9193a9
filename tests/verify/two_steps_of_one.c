// verdict: safe
// engines: euf
// Two conditional steps of one are one step of two: the sum of the steps must meet the branch it was taken on.
extern void reach_error(void);
extern unsigned nondet(void);
int main(void) {
    unsigned token = nondet(), local = token, stage = 0;
    while (nondet()) {
        if (stage == 0) {
            unsigned next = token;
            if (nondet()) { next = next + 1; stage = 1; }
            if (stage == 1) { next = next + 1; stage = 2; }
            token = next;
        } else if (stage == 2) {
            if (token != local + 2) reach_error();
            stage = 0;
            local = token;
        }
    }
}
