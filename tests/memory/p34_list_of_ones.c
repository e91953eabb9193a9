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
    int d;
    struct n *n;
};
int main() {
    struct n *h = 0;
    while (N()) {
        struct n *p = M(struct n);
        p->d = 1;
        p->n = h;
        h = p;
    }
    while (h) {
        A(h->d == 1);
        struct n *t = h->n;
        free(h);
        h = t;
    }
}
