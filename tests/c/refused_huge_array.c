// Compilers accept objects of up to half of the address space.
// data-model: lp64
// refused: an array of 140737488355328 bytes
static char large[1L << 47];
int main(void) { return large[0]; }
