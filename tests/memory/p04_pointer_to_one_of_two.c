// memsafety: safe
// memcleanup: safe
// reach: safe
extern int __VERIFIER_nondet_int(void);
#define N() __VERIFIER_nondet_int()
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

int main() {
    int x = 1, y = 1;
    int *p = N()?&x:&y;
    *p = 2;
    A(x+y == 3);
}
