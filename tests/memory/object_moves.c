// memsafety: safe
// memcleanup: safe
#include <stdlib.h>
int main(void)
{
    int *numbers = malloc(sizeof *numbers);
    numbers[0] = 3;
    numbers = realloc(numbers, 3 * sizeof *numbers);
    numbers[2] = numbers[0];
    int last = numbers[2];
    free(numbers);
    return last;
}
