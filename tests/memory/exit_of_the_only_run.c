// memsafety: safe
// memcleanup: unsafe
// At exit the variables of main still exist.
#include <stdlib.h>
int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    exit(*p);
}
