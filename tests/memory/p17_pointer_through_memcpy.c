// memsafety: safe
// memcleanup: safe
// reach: safe
#include <string.h>
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

int main() {
    int x = 1;
    int *p = &x, *q;
    memcpy(&q, &p, sizeof p);
    *q = 2;
    A(x == 2);
}
