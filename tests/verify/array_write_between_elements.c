// A write between two elements changes both of them.
// verdict: unsafe
// engines: bmc kind euf ufo refine explicit
extern void reach_error(void);
int a[20];
int main(void)
{
    char *p = (char *)a + 2;
    *(int *)p = -1;
    if (a[0] == (int)0xffff0000 && a[1] == 0x0000ffff)
        reach_error();
    return 0;
}
