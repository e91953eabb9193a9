// memsafety: unsafe valid-deref
// memcleanup: safe
// reach: safe
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

int *f(void) {
    int x = 1;
    int *volatile q = &x;
    return q;
}
int main() {
    int *p = f();
    int y = 2;
    *p = 5;
    A(y == 2);
}
