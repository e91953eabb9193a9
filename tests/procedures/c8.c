// verdict: safe?
// property: unreach-call
// linear cases and a table, with bounds
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int a(int m, int n) { return m == 0 ? n + 1 : n == 0 ? a(m - 1, 1) : a(m - 1, a(m, n - 1)); }
int main(void) { int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int(); if (m < 0 || m > 3 || n < 0 || n > 23) return 0; if (a(m, n) < 0) reach_error(); }
