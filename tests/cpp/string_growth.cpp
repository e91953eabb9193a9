// verdict: safe
// A string grows by one character in each round.
#include <string>
extern "C" unsigned __VERIFIER_nondet_uint();
extern "C" void reach_error();

int main() {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 5) return 0;
    std::string s;
    for (unsigned i = 0; i < n; i++) s += 'x';
    if (s.size() != n) reach_error();
}
