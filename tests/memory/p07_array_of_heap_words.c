// memsafety: safe
// memcleanup: safe
// reach: safe
#include <stdlib.h>
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)
#define M(type) ((type *)malloc(sizeof(type)))

int main() {
    int *a[3];
    for (int i = 0; i < 3; i++) {
        a[i] = M(int);
        *a[i] = i;
    }
    A(*a[1] == 1);
    for (int i = 0; i < 3; i++) free(a[i]);
}
