// memsafety: unsafe? valid-memtrack
// memcleanup: safe?
// No run ends: nothing is asked at an end, and nothing may be concluded from it.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    char *p = 0;
    while (1) {
        p = malloc(4);
        if (__VERIFIER_nondet_int() == 3)
            p[0] = 1;
    }
}
