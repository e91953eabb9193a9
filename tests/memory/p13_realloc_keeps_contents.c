// memsafety: safe
// memcleanup: safe
// reach: safe
#include <stdlib.h>
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)
#define M(type) ((type *)malloc(sizeof(type)))

int main() {
    int *p = M(int);
    *p = 3;
    p = realloc(p, 8);
    A(p[0] == 3);
    free(p);
}
