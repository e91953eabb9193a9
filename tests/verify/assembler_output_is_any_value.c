// The output of assembler is any value, also after what the program knew of it.
// verdict: safe
// engines: kind
extern void reach_error(void);
int main(void)
{
    int x = 1;
    __asm__ volatile("rdtsc # %0" : "=a"(x) : : "edx");
    if (x > 5 && x < 3)
        reach_error();
    return 0;
}
