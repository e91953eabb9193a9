// memsafety: unsafe? valid-deref
// memcleanup: safe
// Nothing is claimed of `memcpy` between parts of one object that overlap.
#include <string.h>
int main(void)
{
    char text[8] = "abcdefg";
    memcpy(text + 1, text, 6);
    return 0;
}
