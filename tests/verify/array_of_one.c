// An array of one element at a computed place is still an array for some engines and a single value for others.
// verdict: safe
// engines: bmc kind euf ufo refine
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static long long one[1];
int main(void)
{
    for (int i = 0; i < 1; i++)
        one[i] = 5;
    int j = __VERIFIER_nondet_int() & 0;
    if (one[j] != 5)
        reach_error();
    return 0;
}
