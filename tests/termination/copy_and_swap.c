// termination: ends
int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); while (x >= 0 && y >= 0) { int old = x; x = y - 1; y = old - 1; } return 0; }
