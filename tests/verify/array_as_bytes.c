// A large object that pointers access with several sizes: its contents are known in every size.
// verdict: safe
// engines: bmc kind euf ufo refine explicit
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static const short first[500] = {3, 4};
static long long b[33];
int main(void)
{
    short a[8][64];
    void *p = b;
    *(char *)p = 1;
    p = a;
    *(unsigned *)p = 3;
    if ((int)*(long long *)p != 3)
        reach_error();
    p = (void *)first;
    if (p == (void *)b)
        *(char *)p = 9;
    if (*(char *)p != 3 || *(int *)p != 0x00040003)
        reach_error();
    return 0;
}
