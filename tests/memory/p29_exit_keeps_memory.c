// memsafety: safe
// memcleanup: unsafe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
#define N() __VERIFIER_nondet_int()
#define M(type) ((type *)malloc(sizeof(type)))

int main() {
    int *p = M(int);
    if (N()) exit(1);
    free(p);
}
