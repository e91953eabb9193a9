// verdict: safe
// Algorithms that move elements.
#include <algorithm>
extern "C" {
[[noreturn]] void reach_error();
int __VERIFIER_nondet_int();
bool __VERIFIER_nondet_bool();
unsigned __VERIFIER_nondet_uint();
}
int main() {
    int x = __VERIFIER_nondet_int();
    int a[4] = {1, 2, 3, x};
    std::reverse(a, a + 4);
    if (a[0] != x || a[3] != 1)
        reach_error();
    std::rotate(a, a + 1, a + 4);
    if (a[3] != x)
        reach_error();
}
