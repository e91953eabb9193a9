// A run ends at a read through a null pointer.
// compiled: no
// outcome: no answer
// undefined: Read at line 8
int main(void)
{
    int *p = 0;
    return *p & 0;
}
