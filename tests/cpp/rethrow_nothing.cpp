// verdict: unsafe
// error: `throw` outside of a handler
// There is no exception to throw again.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
int main(){ try { throw; } catch(...) {} }
