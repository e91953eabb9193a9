// A loop that has nothing to do with the property, and one after it that never ends.
// verdict: safe
// engines: kind euf
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    unsigned noise = 0;
    int flag = 1;
    while (__VERIFIER_nondet_int())
        noise = noise * 1664525u + 1013904223u;
    if (!flag)
        reach_error();
    for (;;)
        noise++;
}
