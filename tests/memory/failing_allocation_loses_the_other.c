// memsafety: unsafe valid-memtrack
// memcleanup: unsafe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static void *try(unsigned long size)
{
    if (__VERIFIER_nondet_int())
        return malloc(size);
    return 0;
}

struct pair { int *first, *second; };

static int fill(struct pair *pair)
{
    pair->first = try(sizeof(int));
    if (!pair->first)
        return -1;
    pair->second = try(sizeof(int));
    if (!pair->second) {
        pair->first = 0;
        return -1;
    }
    return 0;
}

int main(void)
{
    struct pair pair;
    int size = __VERIFIER_nondet_int();
    if (size < -5)
        return 1;
    if (fill(&pair) == 0) {
        *pair.first = size;
        *pair.second = *pair.first;
        free(pair.second);
        free(pair.first);
    }
    return 0;
}
