// The index is a byte: the loop runs over the same cells again and never comes to the others.
// verdict: unsafe
extern void reach_error(void);
int main(void)
{
    unsigned char level[300];
    level[270] = 3;
    for (unsigned i = 0; i < 300; i++) level[(unsigned char)i] = 17;
    for (unsigned i = 256; i < 300; i++)
        if (level[i] == 3) reach_error();
    return 0;
}
