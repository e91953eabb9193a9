// memsafety: safe
// memcleanup: safe
// reach: safe
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

int f(int x) {
    return x+1;
}
int g(int x) {
    return x+2;
}
struct o {
    int(*op)(int);
};
int main() {
    struct o t[2] = {{f}, {g}};
    int s = 0;
    for (int i = 0; i < 2; i++) s = t[i].op(s);
    A(s == 3);
}
