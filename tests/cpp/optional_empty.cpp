// verdict: unsafe
// error: this->_M_is_engaged()
// The value of an empty optional.
#include <optional>
extern "C" {
[[noreturn]] void reach_error();
int __VERIFIER_nondet_int();
bool __VERIFIER_nondet_bool();
unsigned __VERIFIER_nondet_uint();
}
std::optional<int> half(int x) {
    if (x % 2)
        return std::nullopt;
    return x / 2;
}
int main() {
    int x = __VERIFIER_nondet_int();
    auto y = half(x);
    if (*y > 10 && x < 0)
        reach_error();
}
