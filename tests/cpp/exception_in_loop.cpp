// verdict: safe
// A handler in a loop counts what was thrown.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
static int f(int x){ if (x>3) throw x; return x; } int main(){ int n=__VERIFIER_nondet_int(), c=0; for(int i=0;i<n;i++){ try { f(i); } catch (int x) { CHECK(x==i); c++; } } CHECK(n<=4 || c==n-4); }
