// verdict: safe
// property: unreach-call
// a tail call with state behind pointers
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
void f(int *i, int *s, int *n) { if (*i < *n) { *i = *i + 1; *s = *s + 2; f(i, s, n); } }
int main(void) { int i = 0, s = 0, n = __VERIFIER_nondet_int(); if (n < 0 || n > 1000000) return 0; f(&i, &s, &n); if (s != 2 * n) reach_error(); }
