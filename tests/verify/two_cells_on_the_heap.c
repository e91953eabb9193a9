// Two objects of two allocations: a write to one leaves the other alone.
// verdict: safe
// engines: bmc kind
// options: --property unreach-call
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);

int main(void)
{
    int *left = malloc(sizeof(int)), *right = malloc(sizeof(int));
    int value = __VERIFIER_nondet_int();
    *left = value;
    *right = 2;
    int *one = __VERIFIER_nondet_int() ? left : right;
    *one = 2;
    if (*right != 2 || (*left != 2 && *left != value))
        reach_error();
    free(left);
    free(right);
    return 0;
}
