// memsafety: unsafe valid-deref
// memcleanup: safe?
// open: a loop over memory that no program wrote has no bound
#include <alloca.h>
extern int __VERIFIER_nondet_int(void);
#define N() __VERIFIER_nondet_int()

int f(int n) {
    char *s = alloca(n);
    for (int i = 0; i < n-1; i++) s[i] = N();
    char *t = s;
    while (*t)t++;
    return t-s;
}
int main() {
    int n = N();
    if (n < 1) n = 1;
    f(n);
}
