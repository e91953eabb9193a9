// The usual idiom: a function of the program that calls the error.
// outcome: error
extern void reach_error(void);
void __VERIFIER_assert(int cond)
{
    if (!cond) {
ERROR:
        reach_error();
    }
    return;
}
int main(void)
{
    unsigned char i = 0;
    do
        i++;
    while (i);
    __VERIFIER_assert(i != 0);
    return 0;
}
