// So does abort.
// outcome: blocked
extern void reach_error(void);
extern void abort(void);
int main(void)
{
    abort();
    reach_error();
}
