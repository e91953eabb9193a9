// verdict: safe
// An optional is used only where it holds a value.
#include <optional>
extern "C" {
    void reach_error();
    bool __VERIFIER_nondet_bool();
    int __VERIFIER_nondet_int();
    unsigned __VERIFIER_nondet_uint();
}
static std::optional<unsigned> half(unsigned x) {
    if (x % 2 == 0)
        return x / 2;
    return std::nullopt;
}
int main() {
    unsigned x = __VERIFIER_nondet_uint();
    auto y = half(x);
    if (y && *y > x)
        reach_error();
}
