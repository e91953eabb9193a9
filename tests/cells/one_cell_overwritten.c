// Another name of the array changes one cell between the loops.
// verdict: unsafe
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    int level[30];
    int *other = level;
    unsigned n = __VERIFIER_nondet_uint() % 30;
    for (int i = 0; i < 30; i++) level[i] = 17;
    other[n] = 18;
    for (int i = 0; i < 30; i++)
        if (level[i] != 17) reach_error();
    return 0;
}
