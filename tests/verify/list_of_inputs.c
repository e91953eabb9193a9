// A list of three nodes, each with the same input: what is summed up is three times that.
// verdict: safe
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
    int value = __VERIFIER_nondet_int();
    unsigned sum = 0;
    for (int i = 0; i < 3; i++) {
        struct node *front = malloc(sizeof *front);
        front->value = value;
        front->next = list;
        list = front;
    }
    for (struct node *at = list; at; at = at->next)
        sum += (unsigned)at->value;
    if (sum != 3u * (unsigned)value)
        reach_error();
    return 0;
}
