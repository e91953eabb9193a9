// A controller that never shows green to both streets.
//
// The proof is about control, not arithmetic: who holds the crossing, and in which order the
// lights change. It is safe, however long it runs and whatever the sensors say.

#include <assert.h>
#include <stdbool.h>

extern _Bool __VERIFIER_nondet_bool(void);

enum light { RED, GREEN, AMBER };
enum street { NORTH, EAST };

int main(void) {
    enum light north = RED, east = RED;
    enum street turn = NORTH;

    while (true) {
        bool car_waits = __VERIFIER_nondet_bool();
        switch (turn) {
        case NORTH:
            if (north == RED) {
                if (car_waits)
                    north = GREEN;
                else
                    turn = EAST;
            } else if (north == GREEN) {
                north = AMBER;
            } else {
                north = RED;
                turn = EAST;
            }
            break;
        case EAST:
            if (east == RED) {
                if (car_waits)
                    east = GREEN;
                else
                    turn = NORTH;
            } else if (east == GREEN) {
                east = AMBER;
            } else {
                east = RED;
                turn = NORTH;
            }
            break;
        }
        assert(!(north == GREEN && east == GREEN));
    }
}
