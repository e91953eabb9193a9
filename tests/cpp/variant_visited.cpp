// verdict: unsafe
// A variant is visited by its type.
#include <variant>
extern "C" {
[[noreturn]] void reach_error();
int __VERIFIER_nondet_int();
bool __VERIFIER_nondet_bool();
unsigned __VERIFIER_nondet_uint();
}
struct V {
    int operator()(int x) const { return x; }
    int operator()(char c) const { return c + 1; }
};
int main() {
    std::variant<int, char> v;
    int x = __VERIFIER_nondet_int();
    if (__VERIFIER_nondet_bool())
        v = x;
    else
        v = 'a';
    if (std::visit(V{}, v) == 98)
        reach_error();
}
