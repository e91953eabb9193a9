// Side effects in an expression are edges in order: && stops early, the comma sequences.
// data-model: lp64
int main(void)
{
    int a = 1, b = 2;
    int c = (a++ && b--, a + b);
    return c ? c : (a = b);
}
