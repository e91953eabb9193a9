// memsafety: safe
// memcleanup: safe
// reach: safe
#include <stdlib.h>
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)
#define M(type) ((type *)malloc(sizeof(type)))

int main() {
    int *p = M(int), *q = M(int);
    *p = 1;
    *q = 2;
    A(*p == 1);
    free(p);
    free(q);
}
