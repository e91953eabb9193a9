// The last cell of each row is not written.
// verdict: unsafe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int rows = 3, columns = 4, level = __VERIFIER_nondet_int();
    int field[rows][columns];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) field[i][j] = level;
    for (int i = 0; i < rows; i++) field[i][columns - 1] = level + 1;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            if (field[i][j] != level) reach_error();
    return 0;
}
