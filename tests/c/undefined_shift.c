// A shift by the width or more is told; all bits are gone.
// returns: 1
// undefined: ShiftOutOfRange
// compiled: no
int main(void)
{
    unsigned x = 5;
    int n = 32;
    return x << n == 0;
}
