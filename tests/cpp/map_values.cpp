// verdict: safe
// A key overwrites the other's value where they are the same.
#include <map>
extern "C" {
[[noreturn]] void reach_error();
int __VERIFIER_nondet_int();
bool __VERIFIER_nondet_bool();
unsigned __VERIFIER_nondet_uint();
}
int main() {
    int k = __VERIFIER_nondet_int();
    std::map<int, int> m;
    m[k] = 3;
    m[5] = 4;
    if (m.size() > 2 || m[5] != 4)
        reach_error();
}
