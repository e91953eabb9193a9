// Nothing can be read through a null pointer.
// undefined: line 6
// outcome: returned
// compiled: no
int main(void)
{
    int *p = 0;
    return *p & 0;
}
