// memsafety: unsafe valid-memtrack?
// memcleanup: unsafe
// The variable has gone with its block.
#include <stdlib.h>
int main(void)
{
    {
        int *p = malloc(sizeof *p);
        *p = 1;
    }
    exit(0);
}
