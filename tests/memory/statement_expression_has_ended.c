// memsafety: unsafe valid-deref
// memcleanup: safe
// The block of a statement expression ends with its value.
int main(void)
{
    int *p;
    int value = ({
        int x = 3;
        p = &x;
        x + 1;
    });
    return value + *p;
}
