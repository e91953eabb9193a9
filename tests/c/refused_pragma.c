// A pragma that renames symbols is refused.
// refused: pragma `redefine_extname g f`
#pragma redefine_extname g f
int f(void) { return 1; }
extern int g(void);
int main(void) { return g(); }
