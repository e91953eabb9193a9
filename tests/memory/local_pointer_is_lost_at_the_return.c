// memsafety: unsafe valid-memtrack
// memcleanup: unsafe
// The local variables of main are gone when it returns.
#include <stdlib.h>
int main(void)
{
    short *number = malloc(sizeof *number);
    *number = 7;
    return *number;
}
