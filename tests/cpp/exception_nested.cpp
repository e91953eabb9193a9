// verdict: safe
// Handlers inside of handlers, exceptions that are thrown again, loops that a handler leaves.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
static int n; struct E{E(){n++;} E(const E&){n++;} ~E(){n--;}};
int main(){ int r=0; try { throw E(); } catch(...) { try { throw; } catch(E&) { r=1; CHECK(n==1); } CHECK(n==1); r+=10; } CHECK(n==0&&r==11);
 try { try { throw 1; } catch(int a) { try { throw 2; } catch(int b) { r=a*10+b; throw; } } } catch(int c) { r=r*10+c; } CHECK(r==122);
 try { try { throw E(); } catch(...) { try { throw; } catch(...) { throw; } } } catch (E&) { r=5; CHECK(n==1); } CHECK(n==0&&r==5); 
 for (int i=0;i<5;i++){ try { if (i%2) throw i; r+=i; } catch(int k){ r+=100*k; if(k==3) break; continue; } } CHECK(r==5+0+100+2+300); }
