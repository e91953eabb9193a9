// memsafety: unsafe valid-memtrack
// memcleanup: unsafe
// Only the head is freed; nothing leads to the rest.
#include <stdlib.h>
struct link { int value; struct link *next; };
static struct link *first;

int main(void)
{
    for (int i = 0; i < 3; i++) {
        struct link *link = malloc(sizeof *link);
        link->value = i;
        link->next = first;
        first = link;
    }
    free(first);
    first = 0;
    return 0;
}
