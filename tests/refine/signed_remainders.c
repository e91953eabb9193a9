// verdict: safe
// A bucket number from a signed remainder, corrected when it is negative.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), size = __VERIFIER_nondet_int();
    if (size <= 0) return 0;
    int bucket = n % size;
    if (bucket >= size) reach_error();
    if (n >= 0 && bucket < 0) reach_error();
    return 0;
}
