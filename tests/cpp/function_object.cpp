// verdict: unsafe
// A lambda in a `std::function`.
#include <functional>
extern "C" {
[[noreturn]] void reach_error();
int __VERIFIER_nondet_int();
bool __VERIFIER_nondet_bool();
unsigned __VERIFIER_nondet_uint();
}
int main() {
    int k = __VERIFIER_nondet_int();
    std::function<int(int)> f = [k](int x) { return x ^ k; };
    if (f(5) == 6)
        reach_error();
}
