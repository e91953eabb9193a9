// The last cell is left out.
// verdict: unsafe
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    int level[30];
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 30) return 0;
    for (unsigned i = 0; i + 1 < n; i++) level[i] = 17;
    for (unsigned i = 0; i < n; i++)
        if (level[i] != 17) reach_error();
    return 0;
}
