// memsafety: unsafe valid-deref
// memcleanup: safe
// The length depends on a value: three digits and the zero.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    char text[3];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100)
        return 0;
    sprintf(text, "%d", n);
    return 0;
}
