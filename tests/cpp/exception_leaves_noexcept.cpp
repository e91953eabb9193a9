// verdict: unsafe
// error: uncaught exception of type `int`
// An exception that would leave a function that must not throw ends the program.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
static void f(int x){ if (x>5) throw x; } static void g(int x) noexcept { f(x);} int main(){ try { g(7);} catch(int){} }
