// memsafety: unsafe? valid-deref
// memcleanup: safe
#include <stdarg.h>
#include <stdio.h>
static void print(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
}
int main(void)
{
    char text[3] = {'a', 'b', 'c'};
    print("%s", text);
    return 0;
}
