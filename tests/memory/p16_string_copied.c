// memsafety: safe
// memcleanup: safe
// reach: safe
#include <string.h>
extern void reach_error(void);
#define A(condition) do { if (!(condition)) reach_error(); } while (0)

int main() {
    char b[8];
    strcpy(b,"abc");
    A(strlen(b) == 3);
}
