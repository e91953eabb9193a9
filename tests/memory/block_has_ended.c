// memsafety: unsafe valid-deref
// memcleanup: safe
int main(void)
{
    char *last = 0;
    for (int i = 0; i < 3; i++) {
        char text[2];
        text[0] = (char)i;
        last = text;
    }
    return last[0];
}
