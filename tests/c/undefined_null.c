// Nothing can be read through a null pointer.
// compiled: no
// returns: 0
// undefined: Read at line 8
int main(void)
{
    int *p = 0;
    return *p & 0;
}
