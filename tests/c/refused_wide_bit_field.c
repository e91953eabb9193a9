// gcc computes with 40 bits here, clang with 64.
// refused: an operator on a bit-field wider than `int`
struct { unsigned long long f : 40; } s = { 0xffffffffffull };
int main(void) { return s.f + 1 == 0; }
