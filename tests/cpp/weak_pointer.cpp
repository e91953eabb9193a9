// verdict: unsafe
// A weak pointer outlives the object.
#include <memory>
extern "C" {
[[noreturn]] void reach_error();
int __VERIFIER_nondet_int();
bool __VERIFIER_nondet_bool();
unsigned __VERIFIER_nondet_uint();
}
int main() {
    std::weak_ptr<int> w;
    {
        auto p = std::make_shared<int>(3);
        w = p;
        if (__VERIFIER_nondet_bool()) {
            if (w.lock()) {
            }
        }
    }
    if (w.expired())
        reach_error();
}
