// Loops in loops multiply without a product in the program.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int rows = __VERIFIER_nondet_int();
    int columns = __VERIFIER_nondet_int();
    if (rows < 20 || rows > 2000 || columns < 5 || columns > 3000)
        return 0;
    int cells = 0;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            cells++;
    if (cells < 100)
        reach_error();
    return 0;
}
