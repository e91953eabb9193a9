// memsafety: unsafe valid-free
// memcleanup: safe
#include <stdlib.h>
int main(void)
{
    long *cell = malloc(sizeof *cell), *same = cell;
    free(cell);
    free(same);
    return 0;
}
