// verdict: safe?
// property: unreach-call
// what a parameter points to; no tail call
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
void f(int *p, unsigned n) { if (n == 0) { *p = 1; return; } f(p, n - 1); *p = *p + 0; }
int main(void) { int g = 0; f(&g, __VERIFIER_nondet_uint()); if (g != 1) reach_error(); }
