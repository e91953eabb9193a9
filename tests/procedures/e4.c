// verdict: unsafe
// property: unreach-call
// 13! modulo 2^32 is positive
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
int main(void) { if (fact(13) > 0) reach_error(); }
