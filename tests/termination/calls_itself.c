// termination: endless
int f(int n) { return n == 0 ? 0 : f(n); }
int main(void) { return f(__VERIFIER_nondet_int()); }
