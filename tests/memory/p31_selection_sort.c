// memsafety: safe?
// memcleanup: safe
// reach: safe?
// open: nested loops over an array of any length
// open: sorting needs two bound symbols
extern int __VERIFIER_nondet_int(void);
#define N() __VERIFIER_nondet_int()
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

int main() {
    int n = N();
    if (n < 1 || n > 1000) return 0;
    int a[n];
    for (int i = 0; i < n; i++) a[i] = N();
    for (int i = 0; i < n; i++) {
        int s = i;
        for (int j = i+1; j < n; j++)if (a[j] < a[s]) s = j;
        int t = a[i];
        a[i] = a[s];
        a[s] = t;
    }
    for (int i = 0; i+1 < n; i++) A(a[i] <= a[i+1]);
}
