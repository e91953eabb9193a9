// verdict: safe
// Virtual functions of two bases, and a member by one of them.
extern "C" {
[[noreturn]] void reach_error();
int __VERIFIER_nondet_int();
bool __VERIFIER_nondet_bool();
unsigned __VERIFIER_nondet_uint();
}
struct A {
    int a = 1;
    virtual int f() { return a; }
    virtual ~A() {}
};
struct B {
    int b = 2;
    virtual int g() { return b; }
    virtual ~B() {}
};
struct C : A, B {
    int f() override { return 10; }
    int g() override { return 20 + b; }
};
int main() {
    C c;
    A *p = &c;
    B *q = &c;
    if (p->f() != 10 || q->g() != 22)
        reach_error();
    q->b = __VERIFIER_nondet_int();
    if (c.b != q->b)
        reach_error();
}
