// A counter goes round from zero to five beside a hash; only the counter needs bits.
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    unsigned long long hash = 14695981039346656037ULL;
    unsigned step = 0;
    while (__VERIFIER_nondet_int()) {
        hash = (hash ^ __VERIFIER_nondet_uint()) * 1099511628211ULL;
        hash = hash % 1000000007ULL * hash;
        step = step < 5 ? step + 1 : 0;
        if (step > 5)
            reach_error();
    }
    return 0;
}
