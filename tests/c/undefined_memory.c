// A write outside of every object is told and has no effect.
// returns: 7
// undefined: line 7
// compiled: no
int main(void)
{
    int a[2] = {7, 8};
    int n = 2;
    a[n] = 5;
    return a[0];
}
