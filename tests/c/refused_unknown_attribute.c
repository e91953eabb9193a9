// An attribute that is in no list is refused with its place, not passed over.
// refused: attribute `ms_struct`
struct __attribute__((ms_struct)) s { char c : 1; int i : 1; };
int main(void) { return sizeof(struct s); }
