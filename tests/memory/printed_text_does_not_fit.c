// memsafety: unsafe valid-deref
// memcleanup: safe
#include <stdio.h>
int main(void)
{
    char source[8] = "hello", text[5];
    sprintf(text, "%s", source);
    return 0;
}
