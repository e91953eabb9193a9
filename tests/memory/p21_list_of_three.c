// memsafety: safe
// memcleanup: safe
// reach: safe
#include <stdlib.h>
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)
#define M(type) ((type *)malloc(sizeof(type)))

struct n {
    int d;
    struct n *n;
};
int main() {
    struct n *h = 0;
    int s = 0;
    for (int i = 0; i < 3; i++) {
        struct n *p = M(struct n);
        p->d = i;
        p->n = h;
        h = p;
    }
    for (struct n *p = h; p; p = p->n)s += p->d;
    A(s == 3);
    while (h) {
        struct n *t = h->n;
        free(h);
        h = t;
    }
}
