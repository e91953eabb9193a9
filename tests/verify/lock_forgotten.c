// One way through the loop forgets to unlock.
// verdict: unsafe
// engines: bmc kind euf ufo
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static int locked;
static void lock(void)
{
    if (locked)
        reach_error();
    locked = 1;
}
int main(void)
{
    while (__VERIFIER_nondet_int()) {
        lock();
        if (__VERIFIER_nondet_int() > 3)
            locked = 0;
    }
    return 0;
}
