// memsafety: safe
// memcleanup: safe
// reach: safe?
// open: two dimensions
extern int __VERIFIER_nondet_int(void);
#define N() __VERIFIER_nondet_int()
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

int a[100][100];
int main() {
    for (int i = 0; i < 100; i++)for (int j = 0; j < 100; j++) a[i][j] = i+j;
    int k = N(), l = N();
    if (k < 0 || k > 99 || l < 0 || l > 99) return 0;
    A(a[k][l] == k+l);
}
