// memsafety: unsafe? valid-deref
// memcleanup: safe
#include <stdlib.h>
int main(void)
{
    wchar_t wide[2];
    mbstowcs(wide, "abcd", 5);
    return 0;
}
