// The error state has no way in.
// verdict: safe
// engines: kind euf ufo
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    int state = 10;
    for (;;) {
        switch (state) {
        case 10:
            state = __VERIFIER_nondet_int() ? 20 : 30;
            break;
        case 20:
            state = 30;
            break;
        case 30:
            state = __VERIFIER_nondet_int() ? 10 : 20;
            break;
        case 40:
            reach_error();
        }
    }
}
