// memsafety: safe
// memcleanup: safe
#include <stdlib.h>
struct link { int value; struct link *next; };

int main(void)
{
    struct link *first = 0;
    for (int i = 0; i < 3; i++) {
        struct link *link = malloc(sizeof *link);
        link->value = i;
        link->next = first;
        first = link;
    }
    while (first) {
        struct link *next = first->next;
        free(first);
        first = next;
    }
    return 0;
}
