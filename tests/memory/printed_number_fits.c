// memsafety: safe
// memcleanup: safe
// The least `int` has eleven characters.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    char text[12];
    int n = __VERIFIER_nondet_int();
    sprintf(text, "%d", n);
    return 0;
}
