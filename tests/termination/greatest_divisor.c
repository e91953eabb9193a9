// termination: ends?
int g(int a, int b) { if (a <= 0 || b <= 0) return 0; if (a == b) return a; return a > b ? g(a - b, b) : g(a, b - a); }
int main(void) { g(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()); return 0; }
