// termination: endless
int main(void) { int i = __VERIFIER_nondet_int(); while (i >= 0) i = __VERIFIER_nondet_int(); return 0; }
