// A pointer into one object is never one into another, whatever its offset.
// verdict: safe
// engines: bmc kind euf ufo refine
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void fill(int *p);
int main(void)
{
    int other = 5;
    int long_one[3] = {1, 2, 3}, short_one[2] = {4, 5};
    int *p = &short_one[1];
    *p = 6;
    p = &other;
    fill(p);
    p = &long_one[2];
    *p = 7;
    if (long_one[0] != 1 || long_one[2] != 7 || short_one[1] != 6)
        reach_error();
    return 0;
}
