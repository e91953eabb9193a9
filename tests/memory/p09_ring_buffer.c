// memsafety: safe
// memcleanup: safe
// reach: safe
extern int __VERIFIER_nondet_int(void);
#define N() __VERIFIER_nondet_int()
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

typedef struct {
    unsigned char d[8];
    unsigned long h, c;
} R;
int main() {
    R r;
    r.h = r.c = 0;
    while (N()) {
        if (r.c < 8) {
            r.d[r.h] = 1;
            r.h = (r.h+1)%8;
            r.c++;
        }
        A(r.h < 8);
    }
}
