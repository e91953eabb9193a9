// Two cells get the same contents, which are counted twice.
// verdict: unsafe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern short __VERIFIER_nondet_short(void);
int main(void)
{
    unsigned cell[5], before = 0, after = 0;
    for (int i = 0; i < 5; i++) cell[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 5; i++) before ^= cell[i];
    cell[1] = cell[3];
    for (int i = 0; i < 5; i++) after ^= cell[i];
    if (before != after) reach_error();
    return 0;
}
