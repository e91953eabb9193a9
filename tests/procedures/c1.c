// verdict: safe
// property: unreach-call
// the result is n
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
unsigned id(unsigned n) { return n == 0 ? 0 : id(n - 1) + 1; }
int main(void) { unsigned x = __VERIFIER_nondet_uint(); if (id(x) != x) reach_error(); }
