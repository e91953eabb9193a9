// verdict: safe
// A lambda changes what it captures.
extern "C" {
    void reach_error();
    bool __VERIFIER_nondet_bool();
    int __VERIFIER_nondet_int();
    unsigned __VERIFIER_nondet_uint();
}
int main() {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000)
        return 0;
    unsigned sum = 0;
    auto add = [&sum](unsigned x) { sum += x; };
    for (unsigned i = 0; i < n; i++)
        add(1);
    if (sum != n)
        reach_error();
}
