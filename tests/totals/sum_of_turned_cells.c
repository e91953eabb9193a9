// Cells that move on by one, the first one to the end, have the same sum.
// verdict: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern short __VERIFIER_nondet_short(void);
static int sum(int *cell)
{
    long long all = 0;
    for (int i = 0; i < 3000; i++) all = all + cell[i];
    return all;
}
int main(void)
{
    int cell[3000];
    for (int i = 0; i < 3000; i++) cell[i] = __VERIFIER_nondet_int();
    int before = sum(cell);
    int first = cell[0];
    for (int i = 0; i < 2999; i++) cell[i] = cell[i + 1];
    cell[2999] = first;
    if (sum(cell) != before) reach_error();
    return 0;
}
