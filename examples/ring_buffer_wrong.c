// A ring buffer of eight bytes. The head may become eight, which is one byte too far.
extern int __VERIFIER_nondet_int(void);

struct ring {
    unsigned long head, count;
    unsigned char bytes[8];
};

int main(void)
{
    struct ring r;
    r.head = r.count = 0;
    while (__VERIFIER_nondet_int()) {
        if (r.count < 8) {
            r.bytes[r.head] = 1;
            r.head = (r.head + 1) % 9;
            r.count++;
        } else {
            r.count--;
        }
    }
    return 0;
}
