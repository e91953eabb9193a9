// memsafety: safe
// memcleanup: safe
#include <stdlib.h>
int main(void)
{
    int *rows[4];
    for (int i = 0; i < 4; i++) {
        rows[i] = malloc(sizeof(int));
        *rows[i] = i;
    }
    int last = *rows[3];
    for (int i = 0; i < 4; i++)
        free(rows[i]);
    return last;
}
