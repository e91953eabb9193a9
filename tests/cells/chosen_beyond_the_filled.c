// The chosen cell may be the one behind the last that the loop has filled.
// verdict: unsafe
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int stamp[12];
int main(void)
{
    unsigned char filled = __VERIFIER_nondet_uchar();
    if (filled > 11) return 0;
    for (int i = 0; i < filled; i++) stamp[i] = 9;
    unsigned char asked = __VERIFIER_nondet_uchar();
    if (asked > filled) return 0;
    if (stamp[asked] != 9) reach_error();
    return 0;
}
