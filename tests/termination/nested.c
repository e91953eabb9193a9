// termination: ends?
int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n) { int j = 0; while (j <= i) j = j + 1; i = i + 1; } return 0; }
