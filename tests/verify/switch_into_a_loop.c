// verdict: unsafe
// engines: bmc kind refine
// Paths that enter a loop beside its head are followed by every engine.
extern int printf(const char *, ...);
extern void reach_error(void);
int table[4] = {1, 2, 3, 4};
int main(void)
{
    int *p = table, left = 3, sum = 0;
    switch (left & 1) {
        case 0: do { sum += *p++;
        case 1:      sum += 10;
                } while (--left > 0);
    }
    printf("%d\n", sum);
    if (sum != 34) reach_error();
    return 0;
}
