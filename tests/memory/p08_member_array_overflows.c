// memsafety: safe
// memcleanup: safe
// reach: unsafe
extern int __VERIFIER_nondet_int(void);
#define N() __VERIFIER_nondet_int()
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

struct s {
    int a[4];
    int b;
} g;
int main() {
    int i = N();
    if (i < 0 || i > 4) return 0;
    g.a[i] = 1;
    A(g.b == 0);
}
