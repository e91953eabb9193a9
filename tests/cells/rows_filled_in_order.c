// Rows and columns: the cells are passed in the order of their indices, and no counter alone determines them.
// verdict: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int rows = 300, columns = 500, level = __VERIFIER_nondet_int();
    int field[rows][columns];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) field[i][j] = level;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            if (field[i][j] != level) reach_error();
    return 0;
}
