// Free values come from the list in the order of the calls, in the type of each call.
// inputs: 5 -3 300 1 18446744073709551615
// returns: 0
// compiled: no
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    unsigned char c = __VERIFIER_nondet_uchar();
    _Bool d = __VERIFIER_nondet_bool();
    unsigned long long e = __VERIFIER_nondet_ulonglong();
    if (a != 5) return 1;
    if (b != -3) return 2;
    if (c != 44) return 3;
    if (d != 1) return 4;
    if (e != ~0ull) return 5;
    return 0;
}
