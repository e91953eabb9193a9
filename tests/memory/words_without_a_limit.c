// memsafety: unsafe valid-deref
// memcleanup: safe?
// The tokenizer does not look at the room for words: four bytes have two words, and the array one.
extern char __VERIFIER_nondet_char(void);
struct word { int start, end; };
static int split(const char *text, int n, struct word *words)
{
    int count = 0, at = 0;
    while (at < n && text[at]) {
        if (text[at] == ' ') {
            at++;
            continue;
        }
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
    struct word words[1];
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_char();
    return split(text, 4, words);
}
