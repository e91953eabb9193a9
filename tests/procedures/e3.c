// verdict: safe
// property: unreach-call
// the only run is executed: 42,438 activations, 255 at once
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
int main(void) { if (ack(3, 5) != 253) reach_error(); }
