// Every cell that the first loop has passed holds what it stored.
// verdict: safe
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    int level[30000];
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 30000) return 0;
    for (unsigned i = 0; i < n; i++) level[i] = 17;
    for (unsigned i = 0; i < n; i++)
        if (level[i] != 17) reach_error();
    return 0;
}
