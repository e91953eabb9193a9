// verdict: safe
// A destructor that may throw.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
struct D{ ~D() noexcept(false) { throw 5; } }; int main(){ int r=0; try { D d; } catch(int x){ r=x; } CHECK(r==5); }
