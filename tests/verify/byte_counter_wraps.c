// Overflow wraps: the loop ends after 256 rounds, not never.
// verdict: unsafe
// engines: bmc kind euf
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    unsigned char i = 0;
    do
        i++;
    while (i);
    reach_error();
}
