// The table has one entry that is too large.
// verdict: unsafe
// engines: bmc kind
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static const int table[6] = {3, 1, 4, 1, 5, 9};
int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 6 && table[i] > 5)
        reach_error();
    return 0;
}
