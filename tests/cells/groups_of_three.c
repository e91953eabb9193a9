// A round writes three cells; the question is about single ones.
// verdict: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int(), least = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    int value[3000];
    for (int i = 1; i <= n; i++) {
        value[3 * i - 3] = least > 7 ? 0 : 7;
        value[3 * i - 2] = least > 3 ? 0 : 3;
        value[3 * i - 1] = 0;
    }
    for (int i = 0; i < 3 * n; i++)
        if (value[i] < least && value[i] != 0) reach_error();
    return 0;
}
