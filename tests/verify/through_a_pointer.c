// A local variable is changed through its address.
// verdict: safe
// engines: kind euf
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void flip(int *p)
{
    *p = !*p;
}
int main(void)
{
    int x = 0, y = 0;
    while (__VERIFIER_nondet_int()) {
        flip(&x);
        flip(&y);
    }
    if (x != y)
        reach_error();
    return 0;
}
