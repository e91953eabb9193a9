// A short that is written at an odd place changes one byte of each of two elements and nothing else.
// verdict: safe
// engines: bmc kind euf ufo refine explicit
extern void reach_error(void);
static unsigned short b[20];
int main(void)
{
    struct {
        long long x;
        short y;
    } a[20];
    long v = 0;
    void *p = b;
    if (p == (void *)b)
        *(unsigned char *)p = 3;
    for (int i = 0; i < 20; i++) {
        if (p == (void *)b)
            *(short *)((char *)p + 3) = 3;
        v += b[0];
    }
    p = a;
    if (v != 60)
        reach_error();
    return 0;
}
