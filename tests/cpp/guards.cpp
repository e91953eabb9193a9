// verdict: safe
// Destructors run on every way out.
extern "C" {
    void reach_error();
    bool __VERIFIER_nondet_bool();
    int __VERIFIER_nondet_int();
    unsigned __VERIFIER_nondet_uint();
}
static int depth = 0;
struct Guard {
    Guard() { depth++; }
    ~Guard() { depth--; }
};
static int work(int x) {
    Guard g;
    if (x < 0)
        return -1;
    Guard h;
    return x > 100 ? 100 : x;
}
int main() {
    work(__VERIFIER_nondet_int());
    if (depth != 0)
        reach_error();
}
