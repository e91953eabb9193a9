// memsafety: safe
// memcleanup: safe
// A string of a length that is an input of at most three, on the heap, and a copy that is one byte longer.
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);
int main(void)
{
    char from[3];
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 3)
        return 0;
    for (int i = 0; i < 3; i++)
        from[i] = __VERIFIER_nondet_char();
    char *text = malloc(n + 1);
    if (!text)
        return 0;
    memcpy(text, from, n);
    text[n] = 0;
    if (strlen(text) > n)
        reach_error();
    free(text);
    return 0;
}
