// memsafety: safe
// memcleanup: safe
// A ring buffer on the heap, through a pointer to its structure: what goes in comes out in the same order.
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
struct ring { unsigned char *bytes; unsigned mask, head, tail; };
static int put(struct ring *r, unsigned char c)
{
    if (((r->head + 1) & r->mask) == r->tail)
        return 0;
    r->bytes[r->head] = c;
    r->head = (r->head + 1) & r->mask;
    return 1;
}
static int get(struct ring *r, unsigned char *c)
{
    if (r->head == r->tail)
        return 0;
    *c = r->bytes[r->tail];
    r->tail = (r->tail + 1) & r->mask;
    return 1;
}
int main(void)
{
    struct ring ring = { malloc(4), 3, 2, 2 };
    unsigned char in[3], out;
    for (int i = 0; i < 3; i++) {
        in[i] = __VERIFIER_nondet_uchar();
        if (!put(&ring, in[i]))
            reach_error();
    }
    if (put(&ring, 0))
        reach_error();
    for (int i = 0; i < 3; i++)
        if (!get(&ring, &out) || out != in[i])
            reach_error();
    free(ring.bytes);
    return 0;
}
