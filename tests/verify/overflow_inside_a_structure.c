// An index that leaves a member stays inside the object, and changes the next member.
// verdict: unsafe
// engines: bmc
// options: --property unreach-call
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);

struct pair { int a[4]; int b; } global;

int main(void)
{
    struct pair *p = __VERIFIER_nondet_int() ? &global : calloc(1, sizeof(struct pair));
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 4)
        return 0;
    p->a[i] = 1;
    if (p->b != 0)
        reach_error();
    return 0;
}
