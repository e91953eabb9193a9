// memsafety: safe?
// memcleanup: safe
// open: with 64-bit addresses the check of the proof takes longer than the test has
// A string of any length is copied to memory that is as long: what is left of the source fits in what is left of the target.
#include <alloca.h>
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        n = 1;
    char *from = alloca(n);
    char *to = alloca(n);
    for (int i = 0; i < n - 1; i++)
        from[i] = __VERIFIER_nondet_char();
    from[n - 1] = 0;
    char *source = from, *target = to;
    while ((*target++ = *source++) != 0)
        ;
    return 0;
}
