// memsafety: safe?
// memcleanup: safe?
// reach: safe?
// open: the walk to the end of the string is proved late
#include <alloca.h>
extern int __VERIFIER_nondet_int(void);
#define N() __VERIFIER_nondet_int()
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

int f(int n) {
    char *s = alloca(n);
    for (int i = 0; i < n-1; i++) s[i] = N();
    s[n-1] = 0;
    char *t = s;
    while (*t)t++;
    return t-s;
}
int main() {
    int n = N();
    if (n < 1) n = 1;
    A(f(n) < n);
}
