// All runs end: unrolling proves it.
// verdict: safe
// engines: bmc kind euf
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    int i, found = 0, wanted = __VERIFIER_nondet_int();
    for (i = 0; i < 6; i++)
        if (i == wanted)
            found++;
    if (found > 1)
        reach_error();
    return 0;
}
