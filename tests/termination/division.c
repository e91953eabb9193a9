// termination: ends
int main(void) { unsigned x = __VERIFIER_nondet_uint(); while (x > 1) x = x / 2; return 0; }
