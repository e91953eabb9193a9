// The array in the middle is not read any more where the ends are compared.
// verdict: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int first[20000], second[20000], third[20000];
    for (int i = 0; i < 20000; i++) first[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 20000; i++) second[i] = first[i];
    for (int i = 0; i < 20000; i++) third[i] = second[i];
    for (int i = 0; i < 20000; i++)
        if (first[i] != third[i]) reach_error();
    return 0;
}
