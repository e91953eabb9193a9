// The midpoint of a binary search, computed the way it was wrong for decades.
//
// `low + high` overflows for large arrays. Under the property unreach-call overflow wraps, and the
// assertion fails for two large numbers; under no-overflow the addition itself is the error.
//
//     echo 2000000000 2000000000 | uforia run --inputs - examples/midpoint.c

#include <assert.h>
#include <limits.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
    int low = __VERIFIER_nondet_int();
    int high = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= low && low <= high && high <= INT_MAX);

    int middle = (low + high) / 2;
    assert(low <= middle && middle <= high);
    return 0;
}
