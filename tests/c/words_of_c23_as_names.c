// The same words as names of an older program.
// returns: 0
typedef enum { false, true } bool;
int nullptr = 4;
int constexpr(int alignas) { return alignas; }
int main(void)
{
    bool b = true;
    return b && nullptr == 4 && constexpr(2) == 2 && sizeof(bool) == 4 ? 0 : 1;
}
