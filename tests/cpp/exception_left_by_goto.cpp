// verdict: safe
// Blocks with handlers are left by return, goto and continue.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
static int f(int k){ for(;;){ try { if(k==0) return 1; if(k==1) throw 2; if (k==2) goto out; k--; continue; } catch(int x){ return x+10; } } out: return 5; } int main(){ CHECK(f(0)==1);CHECK(f(1)==12);CHECK(f(2)==5);CHECK(f(3)==5);}
