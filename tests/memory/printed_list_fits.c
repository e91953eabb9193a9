// memsafety: safe
// memcleanup: safe
// What a list of arguments prints is not known, but limited.
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
    print(text, sizeof text, "number %d", 5);
    return 0;
}
