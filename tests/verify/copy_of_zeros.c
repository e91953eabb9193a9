// verdict: safe
// engines: euf
// All is zero, so the copy ends at once; the place asked about may lie outside.
extern void reach_error(void);
extern int nondet(void);
char from[10], to[10];
int main(void) {
    int place = nondet(), i = 0;
    while (from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    if (place >= 0 && place < i && to[place] != 0) reach_error();
    return 0;
}
