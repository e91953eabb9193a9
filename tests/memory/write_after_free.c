// memsafety: unsafe valid-deref
// memcleanup: safe
#include <stdlib.h>
int main(void)
{
    long *cell = malloc(sizeof *cell);
    free(cell);
    *cell = 1;
    return 0;
}
