// verdict: safe
// References to pointers, and enumerations, as exceptions.
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
int main(){ int x=5,r=0; try { throw &x; } catch(int*&p){ r=*p; p=nullptr; } CHECK(r==5); const char*m="q"; try { throw m; } catch(const char*const&p){ r=p[0]; } CHECK(r=='q'); enum E{A,B}; try { throw B; } catch(int){r=1;} catch(E e){r=e+10;} CHECK(r==11);}
