// The last cell is added and not taken away.
// verdict: unsafe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern short __VERIFIER_nondet_short(void);
int main(void)
{
    short length = __VERIFIER_nondet_short();
    if (length < 1) return 0;
    int level[length];
    long long balance = 5;
    for (int i = 0; i < length; i++) level[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < length; i++) balance += level[i];
    for (int i = 0; i < length - 1; i++) balance -= level[i];
    if (balance != 5) reach_error();
    return 0;
}
