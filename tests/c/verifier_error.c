// So is calling __VERIFIER_error.
// outcome: error
extern void __VERIFIER_error(void);
int main(void)
{
    for (int i = 0; i < 10; i++)
        if (i == 9)
            __VERIFIER_error();
    return 0;
}
