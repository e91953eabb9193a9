// A write outside of every object is told and has no effect.
// compiled: no
// returns: 7
// undefined: Write at line 9
int main(void)
{
    int a[2] = {7, 8};
    int n = 2;
    a[n] = 5;
    return a[0];
}
