/* The second of two files; see queue_main.c. */
#include "queue.h"

static unsigned length;

int queue_put(void) {
    if (length == CAPACITY) return 0;
    length++;
    return 1;
}

int queue_get(void) {
    if (length == 0) return 0;
    length--;
    return 1;
}

unsigned queue_length(void) { return length; }
