// termination: ends
int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); while (x >= 0 && y >= 0) { y--; if (y < 0) { x--; y = __VERIFIER_nondet_int(); } } return 0; }
