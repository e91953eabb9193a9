// verdict: safe
// property: unreach-call
// a tail call: n + m stays
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
unsigned sum(unsigned n, unsigned m) { if (n == 0) return m; return sum(n - 1, m + 1); }
int main(void) { unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(); if (sum(a, b) != a + b) reach_error(); }
