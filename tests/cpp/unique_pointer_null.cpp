// verdict: unsafe
// error: get() != pointer()
// A unique pointer that may hold nothing.
#include <memory>
extern "C" {
[[noreturn]] void reach_error();
int __VERIFIER_nondet_int();
bool __VERIFIER_nondet_bool();
unsigned __VERIFIER_nondet_uint();
}
int main() {
    std::unique_ptr<int> p;
    if (__VERIFIER_nondet_bool())
        p.reset(new int(3));
    if (*p != 3)
        return 1;
}
