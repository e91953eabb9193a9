// Inline assembler has no meaning we know.
// refused: inline assembler
int main(void)
{
    int x = 1;
    __asm__ volatile("incl %0" : "+r"(x));
    return x;
}
