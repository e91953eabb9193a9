// Cells move on by one, and the first one is lost.
// verdict: unsafe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern short __VERIFIER_nondet_short(void);
static int sum(int *cell)
{
    long long all = 0;
    for (int i = 0; i < 4; i++) all = all + cell[i];
    return all;
}
int main(void)
{
    int cell[4];
    for (int i = 0; i < 4; i++) cell[i] = __VERIFIER_nondet_int();
    int before = sum(cell);
    for (int i = 0; i < 3; i++) cell[i] = cell[i + 1];
    if (sum(cell) != before) reach_error();
    return 0;
}
