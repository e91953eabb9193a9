// What `malloc` returns holds any value, and the error needs one.
// verdict: unsafe
// engines: bmc
// options: --property unreach-call
// The harness cannot choose first contents of the heap.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);

int main(void)
{
    int *p = malloc(sizeof(int));
    if (*p == 5)
        reach_error();
    return 0;
}
