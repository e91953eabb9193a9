// termination: ends
int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); while (x != y) { if (x > y) y++; else x++; } return 0; }
