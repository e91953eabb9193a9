// Assembler without instructions keeps the values of its operands.
// returns: 0
int main(void)
{
    int x = 3, y = 0, a = 1, b = 2;
    __asm__ volatile("" : "+r"(x));
    __asm__("" : "=r"(y) : "0"(x));
    __asm__("" : "=r"(a), "=r"(b) : "0"(b), "1"(a));
    return x == 3 && y == 3 && a == 2 && b == 1 ? 0 : 1;
}
