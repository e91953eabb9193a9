// Every cell but one holds the value.
// verdict: unsafe
extern void reach_error(void);
int main(void)
{
    unsigned level[30];
    for (unsigned i = 0; i < 30; i++) level[i] = i == 23 ? 16 : 17;
    for (unsigned i = 0; i < 30; i++)
        if (level[i] != 17) reach_error();
    return 0;
}
