// memsafety: safe
// memcleanup: safe
// reach: safe
#include <stddef.h>
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

struct l {
    struct l *n;
};
struct o {
    int k;
    struct l l;
} O;
struct l L = {&O.l};
int main() {
    struct o *o = &O;
    O.l.n = &L;
    int c = 0;
    while (&o->l != &L) {
        c++;
        o = (struct o *)((char*)o->l.n-offsetof(struct o, l));
    }
    A(c == 1);
}
