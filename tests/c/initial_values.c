// Globals start at zero, addresses can be initialisers, and order among files is that of the text.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static int zero;
static int array[10];
static struct { int a; char *p; double d; } record;
static int tentative;
static int tentative = 5;
static int tentative;
extern int late;
static int *where = &late;
int late = 7;
static char *middle = &"hello"[2];
static int *element = &array[3];
static int *one_past = array + 10;
static int same = sizeof(array) / sizeof(array[0]) == 10 ? 4 : 2;
static long difference = &array[7] - &array[2];
static int (*self)(void);
static void *to_itself = &to_itself;
static double third = 1.0 / 3;
static unsigned char truncated = 300;
int main(void)
{
    check(1, zero == 0 && array[9] == 0 && record.a == 0 && record.p == 0 && record.d == 0);
    check(2, tentative == 5);
    check(3, *where == 7);
    check(4, *middle == 'l');
    *element = 4;
    check(5, array[3] == 4 && one_past - element == 7);
    check(6, same == 4 && difference == 5);
    check(7, self == 0 && to_itself == (void *)&to_itself);
    check(8, third > 0.333 && third < 0.334 && truncated == 44);
    return failed;
}
