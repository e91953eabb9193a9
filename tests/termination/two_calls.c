// termination: ends
unsigned f(unsigned n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
int main(void) { f(__VERIFIER_nondet_uint()); return 0; }
