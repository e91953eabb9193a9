// Inline assembler has no meaning we know.
// refused: asm
int main(void)
{
    int x = 1;
    __asm__ volatile("incl %0" : "+r"(x));
    return x;
}
