// memsafety: unsafe valid-deref
// memcleanup: safe?
// No object is that large: `calloc` returns null.
#include <stdlib.h>
int main(void)
{
    int *p = calloc((size_t)-1 / 4 + 2, 4);
    p[0] = 1;
    return 0;
}
