// Bytes that are swapped twice are where they were, and so two digests agree.
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static unsigned swapped(unsigned x)
{
    return (x << 24) | ((x & 0xff00) << 8) | ((x >> 8) & 0xff00) | (x >> 24);
}
static unsigned digest(unsigned x, unsigned salt)
{
    return x * x * salt % 65521 * (x ^ salt);
}
int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), salt = __VERIFIER_nondet_uint();
    unsigned y = swapped(swapped(x));
    if (digest(x + 1, salt) != digest(1 + y, salt))
        reach_error();
    return 0;
}
