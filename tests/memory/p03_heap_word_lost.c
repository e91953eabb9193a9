// memsafety: unsafe valid-memtrack
// memcleanup: unsafe
// reach: safe
#include <stdlib.h>
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)
#define M(type) ((type *)malloc(sizeof(type)))

int main() {
    int *p = M(int);
    *p = 7;
    A(*p == 7);
}
