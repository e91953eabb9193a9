// verdict: safe
// What is written has no effect on the program.
#include <iomanip>
#include <iostream>
#include <string>
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
struct Point {
    int x, y;
    friend std::ostream &operator<<(std::ostream &out, const Point &point) {
        return out << '(' << point.x << ", " << point.y << ')';
    }
};
int main() {
    int x = __VERIFIER_nondet_int();
    Point point{x, 1};
    std::string name = "point";
    std::cout << name << " = " << point << std::endl;
    std::cerr << std::setw(5) << std::hex << 5ul << 2.5 << true << "\n" << std::flush;
    if (point.x != x || point.y != 1 || name.size() != 5) reach_error();
}
