// memsafety: safe
// memcleanup: safe
// A tokenizer over four free bytes: words between spaces, and where they begin and end.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);
struct word { int start, end; };
static int split(const char *text, int n, struct word *words, int most)
{
    int count = 0, at = 0;
    while (at < n && text[at]) {
        if (text[at] == ' ') {
            at++;
            continue;
        }
        if (count == most)
            return -1;
        words[count].start = at;
        while (at < n && text[at] && text[at] != ' ')
            at++;
        words[count++].end = at;
    }
    return count;
}
int main(void)
{
    char text[4];
    struct word words[2];
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_char();
    int n = split(text, 4, words, 2);
    for (int i = 0; i < n; i++)
        if (words[i].start < 0 || words[i].start >= words[i].end || words[i].end > 4)
            reach_error();
    return 0;
}
