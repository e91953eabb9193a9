// verdict: safe
// Handlers are chosen by type: builtin types, bases, pointers with qualifiers, everything.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
struct A{int a;}; struct B:A{int b;}; struct C{int c;}; struct M: C, B{int m;}; 
static int g(int k){ try { switch(k){case 0: throw 1; case 1: throw 2u; case 2: throw 'c'; case 3: throw 1.5; case 4: {B b; b.a=7;b.b=8; throw b;} case 5: throw "str"; case 6: throw nullptr; case 7: {M m; m.c=1;m.a=2;m.b=3;m.m=4; throw m;} case 8: {static B b; b.a=5; throw &b;} case 9: {static int i=6; throw (int*)&i;} case 10: throw 5L; } return -1; }
 catch(int i){return i;} catch(unsigned u){return 100+u;} catch(double d){return d==1.5?200:201;} catch(C&c){return 300+c.c;} catch(A&a){return 400+a.a;} catch(const char*s){return 500+s[1];} catch(A*p){return 600+p->a;} catch(const int*p){return p?700+*p:701;} catch(void*p){return p?800:801;} catch(...){return 900;} }
int main(){ CHECK(g(0)==1);CHECK(g(1)==102);CHECK(g(2)==900);CHECK(g(3)==200);CHECK(g(4)==407);CHECK(g(5)==500+'t');CHECK(g(7)==301);CHECK(g(8)==605);CHECK(g(9)==706);CHECK(g(10)==900);CHECK(g(11)==-1);}
