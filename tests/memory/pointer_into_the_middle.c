// memsafety: safe
// memcleanup: unsafe
// A pointer into an object keeps track of it.
#include <stdlib.h>
static char *middle;

int main(void)
{
    char *text = malloc(10);
    middle = text + 4;
    return 0;
}
