// memsafety: unsafe valid-deref
// memcleanup: safe
// The write at index 5 is behind the table; it never reaches the other variable.
extern int __VERIFIER_nondet_int(void);
int table[5], beside;

int main(void)
{
    int at = __VERIFIER_nondet_int();
    if (at < 0 || at > 5)
        return 0;
    table[at] = 1;
    return beside;
}
