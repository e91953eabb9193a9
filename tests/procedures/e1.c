// verdict: safe
// property: unreach-call
// the only run is executed
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
int main(void) { if (fact(5) != 120) reach_error(); }
