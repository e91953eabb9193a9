// The most negative number divided by -1 is undefined, and so is the remainder.
// returns: 0
// undefined: DivisionOverflow
// compiled: no
int main(void)
{
    int a = -2147483647 - 1, m = -1;
    return a % m;
}
