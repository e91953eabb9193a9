// memsafety: unsafe valid-deref
// memcleanup: safe
#include <wchar.h>
int main(void)
{
    wchar_t to[2], from[3] = {0};
    wmemcpy(to, from, 3);
    return 0;
}
