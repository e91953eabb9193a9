// memsafety: safe
// memcleanup: safe
// A line ends within its buffer.
#include <stdio.h>
int main(void)
{
    char line[4];
    if (fgets(line, sizeof line, stdin))
        puts(line);
    return 0;
}
