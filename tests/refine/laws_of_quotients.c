// verdict: safe
// What a remainder and a quotient are bounded by, with 64 bits, where no circuit has to be built.
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
int main(void) {
    unsigned long x = __VERIFIER_nondet_ulong(), y = __VERIFIER_nondet_ulong() | 1;
    if (x % y >= y) reach_error();
    if (x % y > x) reach_error();
    if (x / y > x) reach_error();
    if (x >> (y % 64) > x) reach_error();
    return 0;
}
