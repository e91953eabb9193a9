// A system call can end the run or change the memory of the process, and no constraint says so.
// refused: assembler that calls the system
int main(void)
{
    int x = 1;
    __asm__ volatile("int $0x80" : "+a"(x));
    return x;
}
