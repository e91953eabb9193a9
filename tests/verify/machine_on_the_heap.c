// A state machine whose state and counter are members of objects on the heap, one reached through the other.
// verdict: safe
// engines: kind euf
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
            if (__VERIFIER_nondet_int())
                m->state = 3;
        } else {
            if (m->context->turns != 1)
                reach_error();
            return 0;
        }
    }
}
