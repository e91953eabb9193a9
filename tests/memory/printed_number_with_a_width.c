// memsafety: unsafe valid-deref
// memcleanup: safe
// The width is an argument.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    char text[6];
    int width = __VERIFIER_nondet_int();
    if (width < 0 || width > 6)
        return 0;
    sprintf(text, "%*d", width, 7);
    return 0;
}
