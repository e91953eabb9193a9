// verdict: safe
// A function that must not throw may catch what it throws.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
static void f(int x){ if (x>5) throw x; } static int g(int x) noexcept { try { f(x);} catch (int i) { return i; } return 0; } int main(){ CHECK(g(7)==7); CHECK(g(3)==0); }
