// memsafety: unsafe valid-free
// memcleanup: safe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int here = 0;
    int *p = malloc(sizeof *p);
    int *q = p;
    if (__VERIFIER_nondet_int() > 100)
        q = &here;
    free(q);
    return 0;
}
