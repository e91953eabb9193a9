// verdict: safe
// property: unreach-call
// the result is 2^n - 1
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int h(int n) { return n == 1 ? 1 : 2 * h(n - 1) + 1; }
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 31) return 0; if (h(n) < n) reach_error(); }
