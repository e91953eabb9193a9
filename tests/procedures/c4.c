// verdict: safe
// property: unreach-call
// 91 for all x up to 101
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int f(int x) { return x > 100 ? x - 10 : f(f(x + 11)); }
int main(void) { int x = __VERIFIER_nondet_int(); int r = f(x); if (!(r == 91 || (x > 101 && r == x - 10))) reach_error(); }
