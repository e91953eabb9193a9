// The second member gets ahead of the first.
// verdict: unsafe
// engines: bmc kind euf
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
struct pair {
    int first;
    short second;
};
int main(void)
{
    struct pair p = {0, 0};
    while (__VERIFIER_nondet_int()) {
        p.first++;
        if (p.first == 3)
            p.second++;
        p.second++;
    }
    if (p.second > p.first)
        reach_error();
    return 0;
}
