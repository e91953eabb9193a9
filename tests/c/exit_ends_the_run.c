// exit ends the run, wherever it is called.
// outcome: blocked
extern void reach_error(void);
extern void exit(int);
static void leave(int n) { if (n == 3) exit(n); }
int main(void)
{
    for (int i = 0; i < 10; i++)
        leave(i);
    reach_error();
}
