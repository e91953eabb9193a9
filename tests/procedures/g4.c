// verdict: unsafe
// property: unreach-call
// a write through a global pointer
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int g, *q;
void f(int n) { if (n > 0) { *q = 7; f(n - 1); n = *q; } }
int main(void) { g = 5; q = &g; f(__VERIFIER_nondet_int()); if (g != 5) reach_error(); }
