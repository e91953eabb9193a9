// verdict: safe
// property: unreach-call
// no tail call: x outlives the call
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int f(int *p, int n) { int x = n; if (n == 0) return *p; return f(&x, n - 1); }
int main(void) { int y = 9; if (f(&y, 2) != 1) reach_error(); }
