// memsafety: safe?
// memcleanup: safe?
// reach: unsafe
// open: leaks of lists of any length are not proved absent
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
        p->d = N();
        p->n = h;
        h = p;
    }
    while (h) {
        A(h->d != 7);
        struct n *t = h->n;
        free(h);
        h = t;
    }
}
