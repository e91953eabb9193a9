// memsafety: unsafe valid-deref
// memcleanup: safe
// An array inside of a returned structure lives until the end of the full expression.
struct pair {
    int part[2];
};
static struct pair make(int x)
{
    struct pair made = {{x, x + 1}};
    return made;
}
int main(void)
{
    int *kept = make(1).part;
    return *kept;
}
