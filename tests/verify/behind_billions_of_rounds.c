// verdict: unsafe
// engines: bmc kind refine
//
// The error lies behind two billion rounds of a loop with an inner loop, a branch and a byte that wraps around.
extern void reach_error(void);

int main(void)
{
    unsigned rounds = 0;
    unsigned char byte = 3;
    long long total = 0;
    int last = -1;
    while (rounds < 2147483659u) {
        int inner = 0;
        while (inner < 4)
            inner++;
        if (rounds >= 1000)
            total += inner;
        byte += 5;
        last = (int)(rounds % 2);
        rounds++;
    }
    if (total == 8589930636LL && byte == 58 && last == 0)
        reach_error();
    return 0;
}
