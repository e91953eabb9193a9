// What one loop gathers another spends: it takes equations, inequalities and both loops to see that it lasts.
// verdict: safe
// engines: kind ufo
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int days = __VERIFIER_nondet_int(), day = 0, coins = 0;
    while (day < days) {
        day++;
        coins++;
    }
    int night = 0;
    while (night < days) {
        if (coins <= 0) reach_error();
        night++;
        coins--;
    }
    return 0;
}
