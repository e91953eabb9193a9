// memsafety: safe?
// memcleanup: safe?
// reach: safe?
// open: leaks of lists of any length are not proved absent
// open: found by invariants about every object, which takes some seconds
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
#define N() __VERIFIER_nondet_int()
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)
#define M(type) ((type *)malloc(sizeof(type)))

struct n {
    struct n *n, *p;
};
int main() {
    struct n *h = 0, *t = 0;
    while (N()) {
        struct n *x = M(struct n);
        x->n = 0;
        x->p = t;
        if (t) t->n = x;
        else h = x;
        t = x;
    }
    for (struct n *x = h; x; x = x->n) A(!x->n || x->n->p == x);
    while (h) {
        struct n *x = h->n;
        if (x) x->p = 0;
        free(h);
        h = x;
    }
}
