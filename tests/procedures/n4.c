// verdict: unsafe
// property: termination
// 256 states, again and again
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { for (unsigned char i = 0; i <= 255; i++); }
