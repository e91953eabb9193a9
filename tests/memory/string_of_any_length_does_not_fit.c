// memsafety: unsafe valid-deref
// memcleanup: safe
// A string of any length is copied to memory that may be one byte too short.
#include <alloca.h>
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        n = 1;
    char *from = alloca(n);
    char *to = alloca(n > 1 ? n - 1 : n);
    for (int i = 0; i < n - 1; i++)
        from[i] = __VERIFIER_nondet_char();
    from[n - 1] = 0;
    char *source = from, *target = to;
    while ((*target++ = *source++) != 0)
        ;
    return 0;
}
