// The copy goes over what it copies from.
// verdict: unsafe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int level[40];
static void shift(int *to, int *from, int n)
{
    for (int i = 0; i < n; i++) to[i] = from[i] + 1;
}
int main(void)
{
    int *other = __VERIFIER_nondet_int() ? level : level + 1;
    shift(other, level, 30);
    for (int i = 0; i < 30; i++)
        if (level[i + 1] != level[i] + 1 && other == level + 1) reach_error();
    if (other == level && level[0] == 1) reach_error();
    return 0;
}
