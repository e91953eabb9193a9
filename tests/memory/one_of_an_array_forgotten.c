// memsafety: unsafe valid-memtrack
// memcleanup: unsafe
#include <stdlib.h>
int main(void)
{
    int *rows[4];
    for (int i = 0; i < 4; i++)
        rows[i] = malloc(sizeof(int));
    for (int i = 1; i < 4; i++)
        free(rows[i]);
    return 0;
}
