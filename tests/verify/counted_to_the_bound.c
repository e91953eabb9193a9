// verdict: safe
// engines: kind
// At the end of the loop the counter is one beyond its bound, which only both bounds together say.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int last = __VERIFIER_nondet_int();
    if (last < 0 || last > 20000) return 0;
    int number = 0, total = 0;
    while (number <= last) {
        total += 4 * number;
        number++;
    }
    if (total != 2 * last * (last + 1)) reach_error();
    return 0;
}
