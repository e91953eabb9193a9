// verdict: safe
// property: unreach-call
// the result is n * m
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int mul(int n, int m) { return m == 0 ? 0 : n + mul(n, m - 1); }
int main(void) { int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int(); if (m < 0 || n < 0 || m > 46340 || n > 46340) return 0; if (mul(m, n) != mul(n, m)) reach_error(); }
