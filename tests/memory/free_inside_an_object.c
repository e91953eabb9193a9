// memsafety: unsafe valid-free
// memcleanup: safe
#include <stdlib.h>
int main(void)
{
    char *text = malloc(8);
    free(text + 2);
    return 0;
}
