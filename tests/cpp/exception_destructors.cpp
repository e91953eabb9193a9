// verdict: safe
// Destructors of objects in the blocks that an exception leaves run in reverse order.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
static int log_; struct G{int k; G(int k):k(k){log_=log_*10+k;} ~G(){log_=log_*10+k+4;}};
static void f(int x){ G a(1); { G b(2); if(x==1) throw 1; } G c(3); if(x==2) throw 2; }
int main(){ try{f(1);}catch(int){} CHECK(log_==1265); log_=0; try{f(2);}catch(int){} CHECK(log_==126375); log_=0; f(3); CHECK(log_==126375); }
