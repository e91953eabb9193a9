// verdict: safe
// Objects of two classes are deleted by a pointer to their base.
extern "C" {
[[noreturn]] void reach_error();
int __VERIFIER_nondet_int();
bool __VERIFIER_nondet_bool();
unsigned __VERIFIER_nondet_uint();
}
int alive = 0;
struct A {
    A() { alive++; }
    virtual ~A() { alive--; }
    virtual int f() const = 0;
};
struct B : A {
    int v;
    B(int x) : v(x) {}
    int f() const override { return v; }
};
struct C : A {
    int f() const override { return 7; }
};
int main() {
    int x = __VERIFIER_nondet_int();
    A *a = __VERIFIER_nondet_bool() ? (A *)new B(x) : (A *)new C;
    int y = a->f();
    if (y != x && y != 7)
        reach_error();
    delete a;
    if (alive)
        reach_error();
}
