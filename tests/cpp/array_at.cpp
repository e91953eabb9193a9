// verdict: unsafe
// error: uncaught exception of type `std::out_of_range`
// `at` throws where the index is too large.
#include <array>
extern "C" {
[[noreturn]] void reach_error();
int __VERIFIER_nondet_int();
bool __VERIFIER_nondet_bool();
unsigned __VERIFIER_nondet_uint();
}
int main() {
    std::array<int, 3> a{1, 2, 3};
    unsigned k = __VERIFIER_nondet_uint();
    if (k < 5)
        a.at(k) = 2;
}
