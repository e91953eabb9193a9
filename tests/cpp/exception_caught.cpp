// verdict: safe
// An exception skips the rest of the block, and a handler gets its value.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
static int f(int x){ if (x==3) throw x; return x; }
int main(){ int r=0; try { f(3); r=1; } catch (int v) { r=v*10; } CHECK(r==30); try { r=f(4);} catch(...) {r=0;} CHECK(r==4); }
