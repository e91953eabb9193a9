// memsafety: safe
// memcleanup: safe
// reach: safe
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

int main() {
    int x = 5;
    unsigned long u = (unsigned long)&x;
    u |= 1;
    int *p = (int*)(u&~1ul);
    A(*p == 5);
}
