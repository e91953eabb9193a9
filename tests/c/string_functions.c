// The string library on small strings.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
typedef __typeof__(sizeof(0)) size_t;
size_t strlen(const char *);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *);
char *strchr(const char *, int);
char *strrchr(const char *, int);
int main(void)
{
    char buffer[16] = "abc";
    check(1, strlen("") == 0 && strlen(buffer) == 3);
    check(2, strcmp("abc", buffer) == 0 && strcmp("abd", buffer) > 0 && strcmp("ab", buffer) < 0);
    check(3, strncmp("abx", buffer, 2) == 0 && strncmp("abx", buffer, 3) > 0);
    check(4, strcat(buffer, "def") == buffer && strlen(buffer) == 6);
    check(5, strchr(buffer, 'd') == buffer + 3 && strchr(buffer, 'z') == 0 && *strchr(buffer, 0) == 0);
    check(6, strrchr("a/b/c", '/')[1] == 'c');
    strcpy(buffer + 2, "XY");
    check(7, strcmp(buffer, "abXY") == 0);
    strncpy(buffer, "123456", 3);
    check(8, buffer[2] == '3' && buffer[3] == 'Y');
    strncpy(buffer, "q", 4);
    check(9, buffer[0] == 'q' && buffer[1] == 0 && buffer[3] == 0);
    return failed;
}
