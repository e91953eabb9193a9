// memsafety: safe
// memcleanup: safe
// Rounds of mixing, as in a hash, on free words, and the same rounds backwards: only constants and rotations in between.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static const unsigned keys[8] = { 0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5 };
static unsigned left(unsigned x, int by)
{
    return x << by | x >> (32 - by);
}
int main(void)
{
    unsigned state[4], old[4];
    for (int i = 0; i < 4; i++)
        old[i] = state[i] = __VERIFIER_nondet_uint();
    for (int round = 0; round < 8; round++) {
        unsigned t = left(state[0], 7) ^ keys[round] ^ (state[1] & state[2]);
        unsigned moved = state[3] ^ t;
        state[3] = state[2];
        state[2] = state[1];
        state[1] = state[0];
        state[0] = moved;
    }
    for (int round = 7; round >= 0; round--) {
        unsigned moved = state[0];
        state[0] = state[1];
        state[1] = state[2];
        state[2] = state[3];
        state[3] = moved ^ left(state[0], 7) ^ keys[round] ^ (state[1] & state[2]);
    }
    for (int i = 0; i < 4; i++)
        if (state[i] != old[i])
            reach_error();
    return 0;
}
