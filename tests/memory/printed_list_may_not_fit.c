// memsafety: unsafe? valid-deref
// memcleanup: safe
// The limit is greater than the buffer: the contents of the list decide.
#include <stdarg.h>
#include <stdio.h>
static void print(char *text, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(text, size, format, args);
    va_end(args);
}
int main(void)
{
    char text[4];
    print(text, 8, "number %d", 5);
    return 0;
}
