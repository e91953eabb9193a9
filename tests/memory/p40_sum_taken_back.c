// memsafety: safe?
// memcleanup: safe
// reach: safe?
// open: the length of the array is a short, which is extended
// open: sums need a ghost
extern int __VERIFIER_nondet_int(void);
#define N() __VERIFIER_nondet_int()
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

int main() {
    short n = N();
    if (n < 2) return 0;
    short a[n];
    long long s = 0;
    for (int i = 0; i < n; i++) a[i] = N();
    for (int i = 0; i < n; i++)s += a[i];
    for (int i = 0; i < n; i++)s -= a[i];
    A(s == 0);
}
