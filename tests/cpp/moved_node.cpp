// verdict: safe
// proof: not yet
// An owned node is moved, not copied.
#include <memory>
extern "C" int __VERIFIER_nondet_int();
extern "C" void reach_error();

struct Node {
    int value;
    std::unique_ptr<Node> next;
};

int main() {
    int x = __VERIFIER_nondet_int();
    std::unique_ptr<Node> first(new Node{x, nullptr});
    std::unique_ptr<Node> second = std::move(first);
    if (first || second->value != x) reach_error();
}
