// memsafety: unsafe valid-deref
// memcleanup: safe
static int *local(int value)
{
    int copy = value;
    int *volatile address = &copy;
    return address;
}

int main(void)
{
    int *address = local(3);
    return *address;
}
