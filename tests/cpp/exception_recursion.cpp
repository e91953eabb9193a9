// verdict: safe
// An exception through recursive calls, each of which may throw it again.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
static int f(int d){ try { if(d==0) throw 1; return f(d-1);} catch(int x){ if (d<3) throw; return x+d; } } int main(){ CHECK(f(5)==4); }
