// verdict: safe
// Two owners, then one; the object of a base by its own class.
#include <memory>
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
struct Shape { virtual ~Shape() {} };
struct Circle : Shape { int radius; };
int main() {
    int x = __VERIFIER_nondet_int();
    auto circle = std::make_shared<Circle>();
    circle->radius = x;
    std::weak_ptr<Shape> seen;
    {
        std::shared_ptr<Shape> shape = circle;
        seen = shape;
        if (shape.use_count() != 2) reach_error();
        auto again = std::dynamic_pointer_cast<Circle>(shape);
        if (!again || again->radius != x) reach_error();
    }
    if (circle.use_count() != 1 || seen.expired()) reach_error();
    circle.reset();
    if (!seen.expired()) reach_error();
}
