// verdict: safe
// The exception object lives until the last handler is left; thrown again it is the same object.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
static int n; struct E{int v; E(int v):v(v){n++;} E(const E&o):v(o.v){n++;} ~E(){n--;}};
int main(){ try { throw E(3);} catch(E&e){ CHECK(n==1); CHECK(e.v==3);} CHECK(n==0); try { throw E(4);} catch(E e){ CHECK(n==2); e.v=1;} CHECK(n==0); try { try { throw E(5);} catch(E&e){ e.v++; throw; } } catch(E&e){ CHECK(e.v==6); CHECK(n==1);} CHECK(n==0); try { try { throw E(5);} catch(E e){ e.v++; throw; } } catch(E&e){ CHECK(e.v==5);} CHECK(n==0); try { try { throw E(5);} catch(E&e){ throw E(e.v*2); } } catch(E&e){ CHECK(e.v==10); CHECK(n==1); } CHECK(n==0);}
