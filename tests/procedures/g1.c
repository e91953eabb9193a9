// verdict: safe
// property: unreach-call
// c grows by n
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
unsigned c;
void f(unsigned n) { if (n == 0) return; f(n - 1); c++; }
int main(void) { unsigned n = __VERIFIER_nondet_uint(); f(n); if (c != n) reach_error(); }
