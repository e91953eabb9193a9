// memsafety: unsafe valid-deref
// memcleanup: safe
#include <string.h>
int main(void)
{
    char text[5];
    strcpy(text, "hello");
    return (int)strlen(text);
}
