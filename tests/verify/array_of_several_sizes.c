// Without regard to the order of statements the pointer may write a short into the array of int, and an int into that of short.
// verdict: safe
// engines: bmc kind euf ufo refine
extern void reach_error(void);
int a[20];
short b[4];
int main(void)
{
    void *p = b;
    *(short *)p = 1;
    p = a;
    for (int i = 0; i < 20; i++)
        ((int *)p)[i] = 3;
    if (a[4] != 3)
        reach_error();
    return 0;
}
