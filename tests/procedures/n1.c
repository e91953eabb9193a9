// verdict: safe
// property: termination
// the ranking is x
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { int x = __VERIFIER_nondet_int(); while (x > 0) x--; }
