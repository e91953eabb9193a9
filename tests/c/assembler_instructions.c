// Common instructions are the assignments that they perform; with one thread `lock` changes nothing.
// returns: 0
struct counter {
    int count;
};
static int dec_and_test(struct counter *counter)
{
    unsigned char zero;
    __asm__ volatile("lock; decl %0; sete %1" : "+m"(counter->count), "=qm"(zero) : : "memory");
    return zero != 0;
}
static int add_return(int amount, struct counter *counter)
{
    int old = amount;
    __asm__ volatile("lock; xaddl %0, %1" : "+r"(amount), "+m"(counter->count) : : "memory");
    return old + amount;
}
static unsigned swap(unsigned x)
{
    __asm__("bswapl %0" : "=r"(x) : "0"(x));
    return x;
}
int main(void)
{
    struct counter counter = {2};
    int x = 5, y = 7, failed = 0;
    unsigned char narrow = 255;
    long long wide = 1;
    __asm__ volatile("mfence" : : : "memory");
    __asm__ volatile("rep; nop");
    failed |= dec_and_test(&counter);
    failed |= !dec_and_test(&counter);
    failed |= counter.count != 0;
    failed |= add_return(9, &counter) != 9;
    failed |= add_return(-4, &counter) != 5;
    failed |= counter.count != 5;
    failed |= swap(0x12345678u) != 0x78563412u;
    __asm__("xchgl %0,%1" : "+r"(x), "+r"(y));
    failed |= x != 7 || y != 5;
    __asm__("addb %1,%0" : "+q"(narrow) : "qi"((unsigned char)2));
    failed |= narrow != 1;
    __asm__("lock; addl %1,%0" : "+m"(counter.count) : "ir"(-6));
    failed |= counter.count != -1;
    __asm__("subl $3, %0\n\tsets %1" : "+r"(x), "=q"(narrow));
    failed |= x != 4 || narrow != 0;
    __asm__("incl %0; incl %0" : "+r"(x));
    failed |= x != 6;
    (void)wide;
    return failed;
}
