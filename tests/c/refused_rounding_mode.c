// Nothing models the rounding mode, so a change of it is refused.
// refused: change of the floating-point environment: call of `fesetround`
extern int fesetround(int mode);
int main(void) { return fesetround(0x800); }
