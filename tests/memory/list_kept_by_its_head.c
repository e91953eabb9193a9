// memsafety: safe
// memcleanup: unsafe
// A chain of pointers from a global variable leads to every link.
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
    return 0;
}
