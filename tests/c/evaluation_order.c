// Where C fixes an order, it is kept: full expressions, sequence points, arguments before the call.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static int log_, n;
static int note(int digit) { log_ = log_ * 10 + digit; return digit; }
static int sum(int a, int b) { note(9); return a + b; }
int main(void)
{
    note(1), note(2);
    check(1, log_ == 12);
    log_ = 0;
    int x = note(1) && note(2) && note(3);
    check(2, log_ == 123 && x == 1);
    log_ = 0;
    x = sum(note(4), 5);
    check(3, log_ == 49 && x == 9);
    log_ = 0;
    int a[3];
    a[note(1)] = 5;
    check(4, a[1] == 5);
    for (note(1); n < 2; n++, note(3))
        note(2);
    check(5, log_ == 112323);
    log_ = 0;
    int first = note(1), second = note(2);
    check(6, log_ == 12 && first == 1 && second == 2);
    log_ = 0;
    x = note(1) ? note(2) : note(3);
    check(7, log_ == 12);
    return failed;
}
