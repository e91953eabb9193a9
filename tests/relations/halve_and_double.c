// One factor is halved, the other doubled; the division leaves nothing, since odd numbers are made even first.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int left = __VERIFIER_nondet_int();
    int right = __VERIFIER_nondet_int();
    if (right < 0)
        return 0;
    long long doubled = left, halved = right, sum = 0;
    while (halved != 0) {
        if (halved % 2 == 1) {
            sum += doubled;
            halved--;
        }
        doubled *= 2;
        halved /= 2;
    }
    if (sum != (long long)left * right)
        reach_error();
    return 0;
}
