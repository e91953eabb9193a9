// verdict: unknown
// property: unreach-call
// a jump out of a function, refused with its place
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
#include <setjmp.h>
jmp_buf b;
int main(void) { if (setjmp(b)) reach_error(); }
