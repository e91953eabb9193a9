// The same machine with a way back: the third turn is the error.
// verdict: unsafe
// engines: bmc
// options: --property unreach-call
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);

struct context { int turns; };
struct machine { int state; struct context *context; };

int main(void)
{
    struct machine *m = malloc(sizeof *m);
    m->context = malloc(sizeof(struct context));
    m->context->turns = 0;
    m->state = 1;
    for (;;) {
        if (m->state == 1) {
            m->context->turns++;
            m->state = 2;
        } else if (m->state == 2) {
            m->state = __VERIFIER_nondet_int() ? 3 : 1;
        } else {
            if (m->context->turns == 3)
                reach_error();
            return 0;
        }
    }
}
