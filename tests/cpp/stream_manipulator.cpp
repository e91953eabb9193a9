// verdict: unsafe
// A function that the program hands to a stream is called.
#include <iostream>
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
int count = 0;
std::ostream &counted(std::ostream &out) {
    count++;
    return out;
}
int main() {
    for (int i = 0; i < 3; i++)
        std::cout << i << counted << std::endl;
    if (count == 3) reach_error();
}
