// memsafety: unsafe valid-deref
// memcleanup: safe
// The lifetime of an array of variable length ends with its block, not with the function.
int main(void)
{
    int n = 3, *p;
    {
        int a[n];
        a[0] = 1;
        p = a;
    }
    return *p;
}
