// memsafety: safe
// memcleanup: safe
// Free bytes through a table and its inverse, which is computed: three bytes are four digits of six bits.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
static const char digits[64] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-";
static int value(char digit)
{
    for (int i = 0; i < 64; i++)
        if (digits[i] == digit)
            return i;
    return 0;
}
int main(void)
{
    unsigned char in[3], out[3];
    char text[4];
    for (int i = 0; i < 3; i++)
        in[i] = __VERIFIER_nondet_uchar();
    text[0] = digits[in[0] >> 2];
    text[1] = digits[(in[0] & 3) << 4 | in[1] >> 4];
    text[2] = digits[(in[1] & 15) << 2 | in[2] >> 6];
    text[3] = digits[in[2] & 63];
    out[0] = value(text[0]) << 2 | value(text[1]) >> 4;
    out[1] = value(text[1]) << 4 | value(text[2]) >> 2;
    out[2] = value(text[2]) << 6 | value(text[3]);
    for (int i = 0; i < 3; i++)
        if (in[i] != out[i])
            reach_error();
    return 0;
}
