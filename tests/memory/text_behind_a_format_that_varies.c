// memsafety: unsafe? valid-deref
// memcleanup: safe
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    char text[3] = {'a', 'b', 'c'};
    const char *format = __VERIFIER_nondet_int() ? "%s" : "%p";
    printf(format, text);
    return 0;
}
