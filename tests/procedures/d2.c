// verdict: unknown
// property: unreach-call
// an error that depends on assembler
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { int x = 1; __asm__ volatile("# %0" : "=r"(x)); if (x == 5) reach_error(); }
