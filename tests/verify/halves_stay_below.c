// verdict: safe
// engines: refine
// Halving and negating keep a number below a positive bound, but not below a negative one.
extern signed char __VERIFIER_nondet_char(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    signed char bound = __VERIFIER_nondet_char(), part = bound;
    while (__VERIFIER_nondet_int())
        part = __VERIFIER_nondet_int() ? -part : part / 2;
    if (bound > 0 && part > bound)
        reach_error();
    return 0;
}
