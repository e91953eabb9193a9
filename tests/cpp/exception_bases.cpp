// verdict: safe
// A handler of a second base sees that part of the object; private and ambiguous bases do not fit.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
struct C{int c;}; struct A{int a;}; struct M: C, A{int m;};
int main(){ int r=0; try { M m; m.c=1;m.a=2;m.m=3; throw m;} catch(A&a){ r=a.a; a.a=9; } CHECK(r==2); try { M m; m.c=1;m.a=2; throw m;} catch(A a){ r=a.a+10; } CHECK(r==12); struct P: private A{int p;}; try { try { throw P(); } catch (A&) { r=1; } } catch (P&) { r=2; } CHECK(r==2); struct X:A{}; struct Y:A{}; struct Z:X,Y{}; try { throw Z(); } catch (A&){r=5;} catch (X&){r=6;} CHECK(r==6); }
