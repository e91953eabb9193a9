// memsafety: safe
// memcleanup: safe
// Blocks with labels and cases, arrays of variable length in loops, temporaries in conditions: everything that is used is alive.
struct pair {
    int part[2];
};
static struct pair make(int x)
{
    struct pair made = {{x, x + 1}};
    return made;
}
int main(void)
{
    int sum = 0, i = 0;
    {
    again:;
        int x = i;
        int *q = &x;
        *q += 1;
        sum += x;
        if (++i < 3)
            goto again;
    }
    for (int n = 1; n < 4; n++) {
        int a[n];
        a[n - 1] = n;
        if (n == 2)
            continue;
        sum += a[n - 1];
    }
    switch (sum & 3) {
        int y;
    case 0:
    case 2:
        y = sum;
        int *r = &y;
        sum = *r + 1;
    default:;
    }
    while (make(sum).part[1] < 20)
        sum++;
    int value = ({
        int z = 1, *s = &z;
    more:
        ++*s;
        if (z < 5)
            goto more;
        *s;
    });
    return sum - 19 + value - 5;
}
