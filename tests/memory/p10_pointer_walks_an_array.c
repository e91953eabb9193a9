// memsafety: safe
// memcleanup: safe
// reach: safe
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

int a[10];
int main() {
    for (int *p = a; p < a+10; p++) *p = 5;
    A(a[9] == 5);
}
