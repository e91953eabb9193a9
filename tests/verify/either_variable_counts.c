// A pointer that leads to one of two variables in every round.
// verdict: safe
// engines: kind
// options: --property unreach-call
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);

int main(void)
{
    unsigned char even = 0, odd = 0;
    while (__VERIFIER_nondet_int()) {
        unsigned char *side = __VERIFIER_nondet_int() ? &even : &odd;
        *side ^= 1;
        if (even > 1 || odd > 1)
            reach_error();
    }
    return 0;
}
