// A lock is taken and given back in turn.
// verdict: safe
// engines: kind euf ufo
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
static void unlock(void)
{
    if (!locked)
        reach_error();
    locked = 0;
}
int main(void)
{
    int old, new = 0;
    do {
        lock();
        old = new;
        if (__VERIFIER_nondet_int()) {
            unlock();
            new++;
        }
    } while (new != old);
    unlock();
    return 0;
}
