// memsafety: safe
// memcleanup: unsafe
#include <stdlib.h>
#define M(type) ((type *)malloc(sizeof(type)))

int *g;
int main() {
    g = M(int);
}
