// memsafety: unsafe valid-deref
// memcleanup: safe
// An address that is derived from one object never leads into another.
int main(void)
{
    int first[2] = {1, 2}, second[2] = {3, 4};
    int *p = first;
    p += 2;
    second[0] = 5;
    return *p;
}
