// verdict: safe
// A deque that is filled at both ends.
#include <deque>
extern "C" {
[[noreturn]] void reach_error();
int __VERIFIER_nondet_int();
bool __VERIFIER_nondet_bool();
unsigned __VERIFIER_nondet_uint();
}
int main() {
    int x = __VERIFIER_nondet_int();
    std::deque<int> d;
    d.push_back(x);
    d.push_front(1);
    if (d.front() != 1 || d.back() != x)
        reach_error();
    d.pop_front();
    if (d.size() != 1)
        reach_error();
}
