// memsafety: unsafe valid-deref
// memcleanup: safe?
// Of a free byte seven bits are an index, and the table has 64 entries.
extern unsigned char __VERIFIER_nondet_uchar(void);
static const char digits[64] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-";
int main(void)
{
    unsigned char in[2];
    for (int i = 0; i < 2; i++)
        in[i] = __VERIFIER_nondet_uchar();
    return digits[in[0] & 63] + digits[in[1] & 127];
}
