// verdict: unsafe
// The handler sees the value that was thrown.
extern "C" {
    void reach_error();
    bool __VERIFIER_nondet_bool();
    int __VERIFIER_nondet_int();
    unsigned __VERIFIER_nondet_uint();
}
static int f(int x) {
    if (x == 3)
        throw x;
    return x;
}
int main() {
    try {
        f(__VERIFIER_nondet_int());
    } catch (int &x) {
        if (x == 3)
            reach_error();
    }
}
