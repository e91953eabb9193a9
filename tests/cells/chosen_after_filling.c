// The cell that is asked about is chosen behind the loop that fills all of them.
// verdict: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int stamp[30000];
int main(void)
{
    for (int i = 0; i < 30000; i++) stamp[i] = 2 * i + 1;
    int asked = __VERIFIER_nondet_int();
    if (asked < 0 || asked >= 30000) return 0;
    if (stamp[asked] != 2 * asked + 1) reach_error();
    return 0;
}
