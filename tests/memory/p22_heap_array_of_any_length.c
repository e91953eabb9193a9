// memsafety: safe?
// memcleanup: safe?
// reach: safe?
// open: the invariant about all cells of an array of any length takes long
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
#define N() __VERIFIER_nondet_int()
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

int main() {
    int n = N();
    if (n < 1 || n > 1000) return 0;
    int *a = malloc(n*4);
    for (int i = 0; i < n; i++) a[i] = 0;
    int k = N();
    if (k >= 0 && k < n) A(a[k] == 0);
    free(a);
}
