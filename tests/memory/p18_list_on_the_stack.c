// memsafety: safe
// memcleanup: safe
// reach: safe
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

struct n {
    int d;
    struct n *n;
};
int main() {
    struct n a = {1, 0}, b = {2, &a};
    int s = 0;
    for (struct n *p = &b; p; p = p->n)s += p->d;
    A(s == 3);
}
