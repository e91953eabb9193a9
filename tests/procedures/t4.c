// verdict: safe
// property: unreach-call
// an error inside of the callee: a and b stay positive
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int gcd(int a, int b) { if (a <= 0 || b <= 0) reach_error(); if (a == b) return a; if (a > b) return gcd(a - b, b); return gcd(a, b - a); }
int main(void) { int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int(); if (m > 0 && n > 0) gcd(m, n); }
