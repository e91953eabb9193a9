// memsafety: safe
// memcleanup: safe
// A checksum of two free bytes by a table that the program computes: it distinguishes them.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
static unsigned table[16];
static unsigned sum(const unsigned char *data, int n)
{
    unsigned s = ~0u;
    for (int i = 0; i < n; i++) {
        s ^= data[i];
        s = s >> 4 ^ table[s & 15];
        s = s >> 4 ^ table[s & 15];
    }
    return ~s;
}
int main(void)
{
    unsigned char a[2], b[2];
    for (unsigned i = 0; i < 16; i++) {
        unsigned s = i;
        for (int k = 0; k < 4; k++)
            s = s & 1 ? s >> 1 ^ 0xedb88320u : s >> 1;
        table[i] = s;
    }
    for (int i = 0; i < 2; i++) {
        a[i] = __VERIFIER_nondet_uchar();
        b[i] = __VERIFIER_nondet_uchar();
    }
    if (sum(a, 2) == sum(b, 2) && (a[0] != b[0] || a[1] != b[1]))
        reach_error();
    return 0;
}
