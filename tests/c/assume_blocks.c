// A failed assumption ends the run without error.
// outcome: blocked
extern void reach_error(void);
extern void __VERIFIER_assume(int);
int main(void)
{
    int x = 5;
    __VERIFIER_assume(x > 10);
    reach_error();
}
