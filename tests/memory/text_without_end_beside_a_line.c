// memsafety: unsafe? valid-deref
// memcleanup: safe
// The program reads a text from outside, and prints another one that has no end.
#include <stdio.h>
int main(void)
{
    char line[4], text[3] = {'a', 'b', 'c'};
    if (!fgets(line, sizeof line, stdin))
        return 0;
    puts(text);
    return 0;
}
