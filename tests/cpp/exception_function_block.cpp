// verdict: safe
// Function blocks; the one of a constructor throws again.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
struct A{int v; A(int x) try : v(x?throw 3:1) { } catch(int) { v=0; } }; int f() try { throw 4; } catch(int x) { return x; } int main(){ int r=0; try { A a(1); } catch(int x) { r=x; } CHECK(r==3); CHECK(f()==4); }
