// verdict: unsafe
// engines: bmc kind refine euf ufo explicit trace
// Nothing defines the hook, so the guard of its call fails and the default is taken.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern int hook(int) __attribute__((weak));
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = hook ? hook(x) : x + 1;
    if (y == 8) reach_error();
    return 0;
}
