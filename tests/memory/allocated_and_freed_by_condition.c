// memsafety: safe?
// memcleanup: safe
// Both by the same condition.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int wanted = __VERIFIER_nondet_int();
    char *p = 0;
    if (wanted > 3)
        p = malloc(8);
    if (wanted > 3)
        free(p);
    return 0;
}
