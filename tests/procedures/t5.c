// verdict: safe
// property: unreach-call
// two functions with tail calls of one another
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int odd(int n), even(int n);
int odd(int n) { return n == 0 ? 0 : n == 1 ? 1 : even(n - 1); }
int even(int n) { return n == 0 ? 1 : n == 1 ? 0 : odd(n - 1); }
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0; if (odd(n) != n % 2) reach_error(); }
