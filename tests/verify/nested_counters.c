// The inner loop starts afresh each time.
// verdict: safe
// engines: euf ufo
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    int i = 0, j = 0;
    while (i < 4 && __VERIFIER_nondet_int()) {
        j = 0;
        while (j < 3 && __VERIFIER_nondet_int())
            j++;
        i++;
    }
    if (i > 4 || j > 3)
        reach_error();
    return 0;
}
