// verdict: unsafe
// error: uncaught exception of type `E`
// The only handler is for another type.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
struct E{}; static void f(int x){ if (x>5) throw E(); } int main(){ try { f(7);} catch(int){} }
