// memsafety: unsafe valid-deref
// memcleanup: safe
// `bsearch` asks for an array of as many elements as its argument says, also where it does not look at all of them.
#include <stdlib.h>
static int compare(const void *left, const void *right)
{
    return *(const int *)left - *(const int *)right;
}
int main(void)
{
    int sorted[3] = {1, 2, 3}, key = 1;
    return bsearch(&key, sorted, 4, sizeof key, compare) == 0;
}
