// termination: endless
int main(void) { int y = __VERIFIER_nondet_int(); while (y >= 0 && y <= 10) y = (2 * y + 1) / 2; return 0; }
