// Memory and pointers: a message is copied to the heap and its checksum is compared.
//
// Nothing can go wrong here, and `uforia run` agrees for every input it tries.

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct message {
    uint8_t length;
    uint8_t bytes[8];
};

static uint16_t checksum(const uint8_t *bytes, size_t count) {
    uint16_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum = (uint16_t)(sum * 31u + bytes[i]);
    return sum;
}

int main(void) {
    struct message message = { .length = __VERIFIER_nondet_uchar() % 8 };
    for (int i = 0; i < message.length; i++)
        message.bytes[i] = __VERIFIER_nondet_uchar();

    uint8_t *copy = malloc(message.length + 1);
    if (copy == NULL)
        return 1;
    memcpy(copy, message.bytes, message.length);
    assert(checksum(copy, message.length) == checksum(message.bytes, message.length));
    free(copy);
    return 0;
}
