// verdict: unsafe
// Two keys may be the same.
#include <unordered_map>
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
int main() {
    std::unordered_map<int, int> map;
    int key = __VERIFIER_nondet_int();
    map[key] = 1;
    map[3] = 2;
    if (map[key] == 2) reach_error();
}
