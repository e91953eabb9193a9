// verdict: safe
// property: unreach-call
// g is not written, c is as before
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int g, c;
void f(int n) { if (n <= 0) return; c += n; f(n - 1); c -= n; }
int main(void) { g = 5; f(__VERIFIER_nondet_int()); if (g != 5 || c != 0) reach_error(); }
