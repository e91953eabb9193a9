// The same list with a sum that some input makes.
// verdict: unsafe
// engines: bmc
// options: --property unreach-call
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);

struct node { int value; struct node *next; };

int main(void)
{
    struct node *list = 0;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        struct node *front = malloc(sizeof *front);
        front->value = __VERIFIER_nondet_int() & 15;
        front->next = list;
        list = front;
    }
    for (struct node *at = list; at; at = at->next)
        sum += at->value;
    if (sum == 44)
        reach_error();
    return 0;
}
