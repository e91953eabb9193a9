// A ring buffer of eight bytes. Every access is inside of it, because the head stays below eight.
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
            r.head = (r.head + 1) % 8;
            r.count++;
        } else {
            r.count--;
        }
    }
    return 0;
}
