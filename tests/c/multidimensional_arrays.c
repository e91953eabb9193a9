// Arrays of arrays, of structs, and of pointers.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static int cube[2][3][4];
struct cell { int v[2]; struct { char c; } in[2]; };
static struct cell cells[2][2] = {[1][0].v[1] = 5, [0][1] = {.in[1].c = 'q'}};
int main(void)
{
    int n = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++)
                cube[i][j][k] = n++;
    check(1, cube[1][2][3] == 23 && ((int *)cube)[13] == cube[1][0][1]);
    check(2, cells[1][0].v[1] == 5 && cells[0][1].in[1].c == 'q' && cells[0][0].v[0] == 0);
    int *flat = &cube[0][0][0], (*plane)[3][4] = cube, *row = cube[1][1];
    check(3, (char *)&plane[1] - (char *)flat == 12 * sizeof(int) && row[2] == 18);
    check(4, sizeof cube == 24 * sizeof(int) && sizeof cube[0] == 12 * sizeof(int) && sizeof cube[0][0] == 4 * sizeof(int));
    char *names[2][2] = {{"ab", "cd"}, {"ef"}};
    check(5, names[0][1][1] == 'd' && names[1][0][0] == 'e' && names[1][1] == 0);
    struct cell copy[2];
    copy[1] = cells[1][0];
    copy[0] = copy[1];
    copy[0].v[1]++;
    check(6, copy[0].v[1] == 6 && copy[1].v[1] == 5);
    return failed;
}
