// verdict: safe
// engines: kind
// Fig. 2 of the second paper on UFO: an uninitialised variable is an input before anything is simplified, so exactly one of the two
// conditions holds.
extern void reach_error(void);

int main(void) {
    int x, count = 0;
    if (x == 0) count++;
    if (x != 0) count++;
    if (count != 1) reach_error();
}
