// A shift by the width or more is reported; the result is zero.
// returns: 1
// undefined: ShiftOutOfRange
// compiled: no
int main(void)
{
    unsigned x = 5;
    int n = 32;
    return x << n == 0;
}
