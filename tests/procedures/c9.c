// verdict: unsafe
// property: unreach-call
// a caller breaks what the function needs
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int half(int n) { if (n < 0) reach_error(); return n < 2 ? 0 : half(n - 2) + 1; }
int main(void) { int n = __VERIFIER_nondet_int(); if (n > -2) half(n); }
