// memsafety: unsafe valid-deref
// memcleanup: safe?
// open: leaks of lists of any length are not proved absent
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
#define N() __VERIFIER_nondet_int()
#define M(type) ((type *)malloc(sizeof(type)))

struct n {
    int d;
    struct n *n;
};
int main() {
    struct n *h = 0;
    while (N()) {
        struct n *p = M(struct n);
        p->n = h;
        h = p;
    }
    while (h) {
        struct n *t = h;
        free(h);
        h = t->n;
    }
}
