// Calling reach_error is the error.
// outcome: error line 8
extern void reach_error(void);
int main(void)
{
    int x = 3;
    if (x * 2 == 6)
        reach_error();
    return 0;
}
