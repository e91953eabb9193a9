// verdict: safe
// `std::bad_cast` and `std::bad_typeid` are exceptions of the standard library.
#include <exception>
#include <typeinfo>
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
struct Shape { virtual ~Shape() {} };
struct Circle : Shape {};
int main() {
    Shape shape;
    int n_caught = 0;
    try {
        (void)dynamic_cast<Circle &>(shape);
        reach_error();
    } catch (std::bad_cast &) {
        n_caught++;
    }
    try {
        Shape *none = nullptr;
        if (typeid(*none) == typeid(shape)) reach_error();
        reach_error();
    } catch (std::exception &) {
        n_caught++;
    }
    if (n_caught != 2) reach_error();
}
