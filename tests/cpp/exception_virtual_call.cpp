// verdict: safe
// Exceptions through virtual calls and pointers to functions.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
struct S{virtual int f(int x){ if(x<0) throw x; return x;} virtual ~S(){}}; struct T:S{int f(int x) override{ if(x>10) throw 'x'; return 2*x;}};
static int call(S&s,int x){ try { return s.f(x);} catch(int k){return -k;} catch(char c){return c;} } int main(){ S s; T t; CHECK(call(s,-3)==3); CHECK(call(t,-3)==-6); CHECK(call(t,11)=='x'); CHECK(call(s,11)==11); int (*fp)(int)=[](int x)->int{ if(x==1) throw 1.0; return x;}; int r=0; try { fp(1);} catch(double d){ r=1;} CHECK(r==1); }
