// termination: ends
int main(void) { int x = __VERIFIER_nondet_int(), s = __VERIFIER_nondet_int(); if (s < 1 || s > 100) return 0; while (x > 0) x -= s; return 0; }
