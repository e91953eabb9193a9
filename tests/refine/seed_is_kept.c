// A random number generator runs; the seed it was given is kept beside it.
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    unsigned seed = __VERIFIER_nondet_uint(), kept = seed;
    unsigned long long state = seed;
    while (__VERIFIER_nondet_int()) {
        state = (state * 6364136223846793005ULL + 1442695040888963407ULL) / (state % 7 + 1);
        if (kept != seed)
            reach_error();
    }
    return 0;
}
