// A waiting room with a hundred thousand chairs: there are never more people than chairs, and never fewer than zero.
//
// No bound on the number of rounds would prove it; the invariant does.

#include <assert.h>
#include <stdbool.h>

extern _Bool __VERIFIER_nondet_bool(void);

enum { CHAIRS = 100000 };

int main(void) {
    unsigned waiting = 0;

    while (true) {
        bool comes = __VERIFIER_nondet_bool();
        if (comes && waiting < CHAIRS)
            waiting++;
        else if (!comes && waiting > 0)
            waiting--;
        assert(waiting <= CHAIRS);
    }
}
