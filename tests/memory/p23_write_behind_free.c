// memsafety: unsafe valid-deref
// memcleanup: safe
#include <stdlib.h>
#define M(type) ((type *)malloc(sizeof(type)))

int main() {
    int *p = M(int);
    free(p);
    *p = 1;
}
