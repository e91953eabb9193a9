// Addresses of labels, and jumps to them.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static int run(const char *code)
{
    static void *actions[] = {&&stop, &&add, &&twice};
    int n = 0;
    goto *actions[(int)*code++];
add:
    n += 1;
    goto *actions[(int)*code++];
twice:
    n *= 2;
    goto *actions[(int)*code++];
stop:
    return n;
}
int main(void)
{
    check(1, run("\1\1\2\1\0") == 5);
    check(2, run("\0") == 0);
    return failed;
}
