// Operands must make sense.
// refused: 7:
struct s { int a; };
int main(void)
{
    struct s s = {1};
    return s + 1;
}
