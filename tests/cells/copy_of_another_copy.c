// The copy is made of another array.
// verdict: unsafe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int first[2000], second[2000], third[2000];
    for (int i = 0; i < 2000; i++) {
        first[i] = __VERIFIER_nondet_int();
        second[i] = __VERIFIER_nondet_int();
    }
    for (int i = 0; i < 2000; i++) third[i] = first[i];
    for (int i = 0; i < 2000; i++) third[i] = second[i];
    for (int i = 0; i < 2000; i++)
        if (first[i] != third[i]) reach_error();
    return 0;
}
