// memsafety: safe
// memcleanup: safe
#include <stdlib.h>
#include <wchar.h>
int main(void)
{
    wchar_t wide[5], copy[5] = {0};
    mbstowcs(wide, "abcd", 8);
    wmemcpy(wide, copy, 5);
    return 0;
}
