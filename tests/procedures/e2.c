// verdict: safe
// property: unreach-call
// the only run is executed: 242,785 activations
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int fibo(int n) { return n < 1 ? 0 : n == 1 ? 1 : fibo(n - 1) + fibo(n - 2); }
int main(void) { if (fibo(25) != 75025) reach_error(); }
