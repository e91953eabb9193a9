// memsafety: unsafe valid-memtrack
// memcleanup: unsafe
// Lost objects that lead to each other are lost.
#include <stdlib.h>
struct link { struct link *other; };

int main(void)
{
    struct link *one = malloc(sizeof *one), *two = malloc(sizeof *two);
    one->other = two;
    two->other = one;
    one = two = 0;
    return 0;
}
