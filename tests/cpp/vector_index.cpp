// verdict: unsafe
// error: __n < this->size()
// An index may be the size.
#include <vector>
extern "C" {
[[noreturn]] void reach_error();
int __VERIFIER_nondet_int();
bool __VERIFIER_nondet_bool();
unsigned __VERIFIER_nondet_uint();
}
int main() {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 4)
        return 0;
    std::vector<int> v(4);
    v[n] = 1;
}
