// memsafety: safe
// memcleanup: unsafe
// A global variable still leads there: not lost, and not freed.
#include <stdlib.h>
static short *number;

int main(void)
{
    number = malloc(sizeof *number);
    *number = 7;
    return 0;
}
