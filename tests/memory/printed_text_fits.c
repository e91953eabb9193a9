// memsafety: safe
// memcleanup: safe
// A precision ends the text, and a limit the output.
#include <stdio.h>
int main(void)
{
    char source[3] = {'a', 'b', 'c'}, short_text[4], text[3];
    sprintf(short_text, "%.3s", source);
    snprintf(text, sizeof text, "%s", "longer");
    return 0;
}
