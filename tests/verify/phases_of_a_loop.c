// verdict: safe
// engines: kind
// Until half time only one counter runs, then both: what is equal at the end never was on the way.
extern void reach_error(void);
int main(void) {
    int time = 0, late = 40000;
    while (time < 80000) {
        if (time >= 40000) late++;
        time++;
    }
    if (late != time) reach_error();
    return 0;
}
