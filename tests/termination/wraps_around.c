// termination: endless
int main(void) { unsigned i = __VERIFIER_nondet_uint(); while (i != 3) i += 2; return 0; }
