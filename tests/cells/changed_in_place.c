// Cells before the counter have changed, those from it on have not.
// verdict: safe
extern void reach_error(void);
int main(void)
{
    unsigned char row[40000];
    int i;
    for (i = 0; i < 40000; i++) row[i] = 5;
    for (i = 0; i < 40000; i++) row[i] = row[i] + 2;
    for (i = 0; i < 40000; i++)
        if (row[i] != 7) reach_error();
    return 0;
}
