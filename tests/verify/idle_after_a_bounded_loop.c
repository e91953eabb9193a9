// All that matters ends after three rounds; what comes then goes on for ever and leads to no error.
// verdict: safe
// engines: bmc kind
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    unsigned sum = 0, ticks = 0;
    for (unsigned i = 0; i < 3; i++) {
        unsigned x = __VERIFIER_nondet_uint();
        if (x > 10)
            return 0;
        sum += x;
    }
    if (sum > 30)
        reach_error();
    while (1) {
        ticks++;
        while (ticks % 7 != 0)
            ticks += 3;
    }
}
