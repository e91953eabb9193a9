// On i386 members of eight bytes are aligned to four, variables to eight; the two spellings distinguish them.
// returns: 0
int main(void)
{
    unsigned small = sizeof(long) == 8 ? 8 : 4;
    if (_Alignof(unsigned long long) != small) return 1;
    if ((_Alignof(double)) % (-449) != small) return 2;
    if (__alignof__(long long) != 8) return 3;
    if (_Alignof(long long[3]) != small) return 4;
    struct s { char c; long long l; };
    if (_Alignof(struct s) != small) return 5;
    return 0;
}
