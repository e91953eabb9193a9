// verdict: safe
// As many elements as were appended.
#include <vector>
extern "C" unsigned __VERIFIER_nondet_uint();
extern "C" void reach_error();

int main() {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 5) return 0;
    std::vector<int> v;
    for (unsigned i = 0; i < n; i++) v.push_back(static_cast<int>(i));
    if (v.size() != n) reach_error();
}
