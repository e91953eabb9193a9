// memsafety: unsafe valid-deref
// memcleanup: safe?
// As `text_of_unknown_length.c`, but there is no room for the end.
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
int main(void)
{
    char from[3];
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 3 || n == 0)
        return 0;
    for (int i = 0; i < 3; i++)
        from[i] = __VERIFIER_nondet_char();
    char *text = malloc(n);
    if (!text)
        return 0;
    memcpy(text, from, n);
    text[n] = 0;
    free(text);
    return 0;
}
