// memsafety: unsafe valid-memtrack
// memcleanup: unsafe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
#define N() __VERIFIER_nondet_int()
#define M(type) ((type *)malloc(sizeof(type)))

struct n {
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
        struct n *t = h->n;
        if (N()) free(h);
        h = t;
    }
}
