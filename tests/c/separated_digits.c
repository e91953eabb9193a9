// Digits with separators, as in C23.
// returns: 0
// compiled: no
int main(void)
{
    return !(1'000 == 1000 && 0xf'0 == 240 && 0b11'11 == 15 && 1'0.5'0 == 10.5);
}
