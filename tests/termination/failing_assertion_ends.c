// termination: ends
#include <assert.h>
int main(void) { for (;;) assert(0); }
