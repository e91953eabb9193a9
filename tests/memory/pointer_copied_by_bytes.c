// memsafety: safe
// memcleanup: safe
#include <stdlib.h>
#include <string.h>
int main(void)
{
    int *p = malloc(sizeof *p), *q;
    memcpy(&q, &p, sizeof p);
    p = 0;
    *q = 4;
    free(q);
    return 0;
}
