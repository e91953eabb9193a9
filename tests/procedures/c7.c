// verdict: safe?
// property: unreach-call
// a table of 47 rows
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int fib(int n) { return n < 1 ? 0 : n == 1 ? 1 : fib(n - 1) + fib(n - 2); }
int main(void) { int x = __VERIFIER_nondet_int(); if (x > 46 || x < 0) return 0; if (fib(x) < x - 1) reach_error(); }
