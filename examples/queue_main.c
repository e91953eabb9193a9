/* The first of two files: uforia check examples/queue_main.c examples/queue.c */
#include <assert.h>
#include "queue.h"

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int put = 0, got = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            put += queue_put();
        } else {
            got += queue_get();
        }
        assert(queue_length() <= CAPACITY);
    }
    return 0;
}
