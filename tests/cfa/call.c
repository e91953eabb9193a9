// Calls, a pointer to a local, and a global.
// data-model: lp64
static int counter;
static int add(int *to, int by)
{
    counter++;
    *to += by;
    return *to;
}
int main(void)
{
    int x = 1;
    return add(&x, 2) + counter;
}
