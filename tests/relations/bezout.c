// Subtracting the smaller from the larger keeps both numbers sums of multiples of the first two.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int first = __VERIFIER_nondet_int();
    int second = __VERIFIER_nondet_int();
    if (first < 1 || second < 1)
        return 0;
    long long large = first, small = second;
    long long a = 1, b = 0, c = 0, d = 1;
    while (large != small) {
        if (large > small) {
            large -= small;
            a -= c;
            b -= d;
        } else {
            small -= large;
            c -= a;
            d -= b;
        }
        if (a * d - b * c != 1)
            reach_error();
        if (large != a * first + b * second || small != c * first + d * second)
            reach_error();
    }
    return 0;
}
