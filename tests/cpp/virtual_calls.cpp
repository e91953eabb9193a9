// verdict: safe
// One of two virtual functions.
extern "C" {
    void reach_error();
    bool __VERIFIER_nondet_bool();
    int __VERIFIER_nondet_int();
    unsigned __VERIFIER_nondet_uint();
}
struct Shape {
    virtual int sides() const = 0;
};
struct Triangle : Shape {
    int sides() const override { return 3; }
};
struct Square : Shape {
    int sides() const override { return 4; }
};
int main() {
    Triangle t;
    Square q;
    Shape &s = __VERIFIER_nondet_bool() ? (Shape &)t : (Shape &)q;
    int n = s.sides();
    if (n != 3 && n != 4)
        reach_error();
}
