// verdict: safe
// engines: kind euf ufo explicit
// The copy is read in the loop and its source is not: writes to the source there are dead, and what is proved speaks of the copy.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned char source;
int main(void) {
    source = __VERIFIER_nondet_uchar();
    unsigned char other = __VERIFIER_nondet_uchar(), copy = source, more = __VERIFIER_nondet_uchar();
    while (more == 1) {
        if (copy != other) {
            if (copy == other) reach_error();
        } else {
            source = __VERIFIER_nondet_uchar();
        }
    }
    return 0;
}
