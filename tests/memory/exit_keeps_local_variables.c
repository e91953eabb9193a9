// memsafety: safe?
// memcleanup: unsafe
// At exit the variables of main still exist: its memory is not freed, and not lost.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int *p = malloc(sizeof *p);
    if (__VERIFIER_nondet_int())
        exit(1);
    free(p);
    return 0;
}
