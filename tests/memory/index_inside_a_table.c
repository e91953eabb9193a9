// memsafety: safe
// memcleanup: safe
extern int __VERIFIER_nondet_int(void);
int table[5], beside;

int main(void)
{
    int at = __VERIFIER_nondet_int();
    if (at < 0 || at > 4)
        return 0;
    table[at] = 1;
    return beside;
}
