// A function whose address stands in this section runs before `main`.
// refused: attribute `section`
static int x;
static void first(void) { x = 1; }
void (*entry)(void) __attribute__((section(".init_array"))) = first;
int main(void) { return x; }
