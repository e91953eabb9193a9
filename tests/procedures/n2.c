// verdict: unsafe
// property: termination
// i is odd for ever; no state repeats for 2^31 rounds
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { unsigned i = __VERIFIER_nondet_uint(); while (i != 0) i -= 2; }
