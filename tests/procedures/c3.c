// verdict: unsafe
// property: unreach-call
// the result may be 3
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int id(int x) { if (x == 0) return 0; int r = id(x - 1) + 1; return r > 3 ? 3 : r; }
int main(void) { if (id(__VERIFIER_nondet_int()) == 3) reach_error(); }
