// verdict: safe
// property: unreach-call
// both runs are executed
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int f(int b, int k) { return k == 0 ? b : f(!b, k - 1); }
int main(void) { _Bool b = __VERIFIER_nondet_int(); if (f(b, 7) == b) reach_error(); }
