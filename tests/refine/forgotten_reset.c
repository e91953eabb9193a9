// A flag is not reset after the hash was taken.
// verdict: unsafe
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    unsigned hash = 17;
    int busy = 0;
    for (int i = 0; i < 3; i++) {
        if (busy)
            reach_error();
        busy = 1;
        hash = hash * 31 + __VERIFIER_nondet_uint();
        if (hash % 2)
            busy = 0;
    }
    return 0;
}
