// memsafety: safe?
// memcleanup: safe?
// open: leaks of lists of any length are not proved absent
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
#define N() __VERIFIER_nondet_int()
#define M(type) ((type *)malloc(sizeof(type)))

struct i {
    struct i *n;
};
struct o {
    struct o *n;
    struct i *i;
};
int main() {
    struct o *h = 0;
    while (N()) {
        struct o *x = M(struct o);
        x->n = h;
        x->i = 0;
        while (N()) {
            struct i *y = M(struct i);
            y->n = x->i;
            x->i = y;
        }
        h = x;
    }
    while (h) {
        while (h->i) {
            struct i *y = h->i->n;
            free(h->i);
            h->i = y;
        }
        struct o *x = h->n;
        free(h);
        h = x;
    }
}
