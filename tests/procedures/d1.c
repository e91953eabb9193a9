// verdict: safe?
// property: unreach-call
// the output of assembler is any value
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { int x = 1; __asm__ volatile("# %0" : "=r"(x)); if (x > 5 && x < 3) reach_error(); }
