// memsafety: safe
// memcleanup: safe
// reach: safe?
// open: two index maps in one loop
extern int __VERIFIER_nondet_int(void);
#define N() __VERIFIER_nondet_int()
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

int a[100];
int main() {
    for (int i = 0; i < 50; i++) {
        a[i] = i;
        a[99-i] = i;
    }
    int k = N();
    if (k < 0 || k > 49) return 0;
    A(a[k] == a[99-k]);
}
