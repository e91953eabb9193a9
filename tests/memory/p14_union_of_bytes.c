// memsafety: safe
// memcleanup: safe
// reach: safe
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

union u {
    unsigned i;
    unsigned char c[4];
};
int main() {
    union u v;
    v.i = 0x01020304;
    A(v.c[0] == 4);
}
