// verdict: unsafe
// error: uncaught exception of type `std::bad_cast`
// A conversion of a reference throws where that of a pointer gives null.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
struct Shape { virtual ~Shape() {} };
struct Circle : Shape { int radius = 3; };
struct Square : Shape {};
int main() {
    Circle circle;
    Square square;
    Shape &shape = __VERIFIER_nondet_int() == 42 ? static_cast<Shape &>(square) : circle;
    return dynamic_cast<Circle &>(shape).radius;
}
