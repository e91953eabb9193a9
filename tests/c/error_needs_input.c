// The error is reached only with the right input.
// inputs: 10 7
// outcome: error
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x * y == 70 && x > y)
        reach_error();
    return 0;
}
