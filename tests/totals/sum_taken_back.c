// What one loop adds the next one takes away, cell by cell.
// verdict: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
int main(void)
{
    int length = __VERIFIER_nondet_int();
    if (length < 1 || length > 100000) return 0;
    unsigned *level = malloc(length * sizeof(unsigned)), balance = 0;
    for (int i = 0; i < length; i++) level[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < length; i++) balance += level[i];
    for (int i = 0; i < length; i++) balance -= level[i];
    if (balance != 0) reach_error();
    return 0;
}
