// memsafety: safe
// memcleanup: safe
#include <stdlib.h>
int main(void)
{
    char *one = malloc(1);
    long *other = malloc(sizeof *other);
    *one = 1;
    *other = 2;
    int sum = (int)(*one + *other);
    free(other);
    free(one);
    return sum;
}
