// verdict: safe
// Down, across and up; private, ambiguous and unrelated bases; the whole object.
#include <typeinfo>
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
struct Root { virtual ~Root() {} int root = 1; };
struct Left : Root { int left = 2; };
struct Right : Root { int right = 3; };
struct Other { virtual ~Other() {} int other = 4; };
struct Hidden { virtual ~Hidden() {} int hidden = 5; };
struct Whole : Left, Right, Other, private Hidden {
    int whole = 6;
    Hidden *inside() { return this; }
};
struct Plain : Left {};
void require(bool holds) {
    if (!holds) reach_error();
}
int main() {
    Whole w;
    Plain p;
    Left *left = &w;
    require(dynamic_cast<Whole *>(left) == &w && dynamic_cast<Right *>(left)->right == 3);
    require(dynamic_cast<Other *>(left)->other == 4 && dynamic_cast<Hidden *>(left) == nullptr);
    require(dynamic_cast<Plain *>(left) == nullptr && dynamic_cast<void *>(static_cast<Right *>(&w)) == &w);
    Root *first = static_cast<Left *>(&w), *second = static_cast<Right *>(&w);
    require(dynamic_cast<Left *>(first) == &w && dynamic_cast<Left *>(second) == left && dynamic_cast<Right *>(second) == &w);
    Other *other = &w;
    require(dynamic_cast<Root *>(other) == nullptr && dynamic_cast<Left *>(other) == left);
    require(dynamic_cast<Whole *>(w.inside()) == nullptr && dynamic_cast<Other *>(w.inside()) == nullptr);
    Root *any = __VERIFIER_nondet_bool() ? static_cast<Root *>(&p) : second;
    require((dynamic_cast<Whole *>(any) != nullptr) == (typeid(*any) == typeid(Whole)));
    require(dynamic_cast<Plain *>(any) != nullptr || dynamic_cast<Other *>(any) == other);
}
