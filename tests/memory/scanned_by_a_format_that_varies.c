// memsafety: unsafe? valid-deref
// memcleanup: safe
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    char text[3];
    const char *format = __VERIFIER_nondet_int() ? "%s" : "%2s";
    scanf(format, text);
    return 0;
}
