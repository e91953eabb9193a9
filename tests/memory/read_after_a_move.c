// memsafety: unsafe valid-deref
// memcleanup: safe
// The old place ends when the object moves.
#include <stdlib.h>
int main(void)
{
    int *numbers = malloc(sizeof *numbers);
    int *old = numbers;
    numbers[0] = 3;
    numbers = realloc(numbers, 3 * sizeof *numbers);
    int last = *old;
    free(numbers);
    return last;
}
