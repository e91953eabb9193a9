// What %n writes.
// returns: 0
// compiled: no
extern int printf(const char *, ...);
extern int sprintf(char *, const char *, ...);
int main(void)
{
    int a = -1, b = -1;
    signed char c = -1;
    long d = -1;
    char text[40];
    printf("ab%nc%d%n%%%hhn\n", &a, 12, &b, &c);
    sprintf(text, "%s%c%ln", "xyz", 'w', &d);
    return a == 2 && b == 5 && c == 6 && d == 4 ? 0 : 1;
}
