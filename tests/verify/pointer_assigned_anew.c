// After `p = b` a write through `p` leaves `a` alone, whatever the bounds of the index are.
// verdict: safe
// options: --data-model ilp32 --property unreach-call
// engines: kind euf ufo
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[20], b[20];
int main(void)
{
    void *p = a;
    int i = 0;
    while (__VERIFIER_nondet_int() && i < 20) {
        ((int *)p)[i] = 3;
        i++;
    }
    p = b;
    for (int j = 0; j < 4; j++)
        ((int *)p)[j] = 5;
    if (i > 4 && a[4] != 3)
        reach_error();
    return 0;
}
