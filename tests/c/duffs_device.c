// A loop that starts in its middle.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
static int copied(char *to, const char *from, int count)
{
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
    return count;
}
int main(void)
{
    char to[12] = {0};
    copied(to, "hello world", 11);
    check(1, to[0] == 'h' && to[4] == 'o' && to[10] == 'd' && to[11] == 0);
    copied(to, "HEY!", 4);
    check(2, to[3] == '!' && to[4] == 'o');
    return failed;
}
