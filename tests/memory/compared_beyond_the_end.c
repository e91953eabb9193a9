// memsafety: unsafe valid-deref
// memcleanup: safe
// `memcmp` may read all of both objects, whatever differs first (C11 7.24.4.1).
#include <string.h>
int main(void)
{
    char left[2] = {1, 2}, right[8] = {2};
    return memcmp(left, right, 8) == 0;
}
