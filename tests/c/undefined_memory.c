// A run ends at a write outside of every object.
// compiled: no
// outcome: no answer
// undefined: Write at line 9
int main(void)
{
    int a[2] = {7, 8};
    int n = 2;
    a[n] = 5;
    return a[0];
}
