// verdict: safe
// What is constructed before an exception in a constructor is destroyed, the rest is not.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
static int n; struct M{M(){n+=1;} ~M(){n+=10;}}; struct B{B(){n+=100;} ~B(){n+=1000;}}; struct D:B{M m; D(int x){ if(x) throw x; n+=5; } ~D(){n+=10000;}};
int main(){ try{ D d(1);}catch(int){} CHECK(n==1111); n=0; {D d(0);} CHECK(n==11116); n=0; D*p=nullptr; try{p=new D(2);}catch(int k){n+=k;} CHECK(n==1113&&!p); n=0; try { M a[3]; throw 1; } catch(...) {} CHECK(n==33); }
