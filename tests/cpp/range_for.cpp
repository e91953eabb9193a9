// verdict: unsafe
// The array holds the number.
#include <array>
extern "C" {
    void reach_error();
    bool __VERIFIER_nondet_bool();
    int __VERIFIER_nondet_int();
    unsigned __VERIFIER_nondet_uint();
}
int main() {
    std::array<int, 4> a = {1, 2, 3, 4};
    int sum = 0;
    for (int x : a)
        sum += x;
    if (sum == 10)
        reach_error();
}
