// memsafety: safe
// memcleanup: safe
// reach: safe?
// open: the fields of a structure behind a pointer are columns, and relations between columns are found late
extern int __VERIFIER_nondet_int(void);
#define N() __VERIFIER_nondet_int()
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

struct p {
    int x, y;
};
void mv(struct p *q, int d) {
    q->x += d;
    q->y -= d;
}
int main() {
    struct p a = {0, 0};
    while (N()) {
        mv(&a, 1);
        if (a.x > 1000)a.x = a.y = 0;
        A(a.x+a.y == 0);
    }
}
