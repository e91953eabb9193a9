// verdict: safe
// property: termination
// the ranking is y - x in more bits
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); while (x < y) { if (__VERIFIER_nondet_int()) x++; else y--; } }
