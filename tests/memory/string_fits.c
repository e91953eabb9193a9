// memsafety: safe
// memcleanup: safe
#include <string.h>
int main(void)
{
    char text[6];
    strcpy(text, "hello");
    return (int)strlen(text);
}
