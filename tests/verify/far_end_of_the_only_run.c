// verdict: unsafe
// engines: bmc
// Nothing is read, so there is one run, and its error lies behind forty million steps.
extern void reach_error(void);

int main(void)
{
    unsigned int left = 20000003;
    while (left > 1) left -= 2;
    if (left % 2 == 1) reach_error();
    return 0;
}
