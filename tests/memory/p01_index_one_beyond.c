// memsafety: unsafe valid-deref
// memcleanup: safe
// reach: safe
extern int __VERIFIER_nondet_int(void);
#define N() __VERIFIER_nondet_int()
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

int a[4], b;
int main() {
    int i = N();
    if (i < 0 || i > 4) return 0;
    a[i] = 1;
    A(b == 0);
}
