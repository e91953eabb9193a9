// verdict: safe
// engines: kind
// 6 * sum = n * (n + 1) * (2 * n + 1), whatever wraps round.
extern void reach_error(void);
extern int nondet(void);
int main(void) {
    unsigned n = 0, sum = 0;
    while (nondet()) {
        n++;
        sum += n * n;
    }
    if (6 * sum != n * (n + 1) * (2 * n + 1)) reach_error();
    return 0;
}
