// Keywords of C23, in a program that does not use them as names.
// returns: 0
// compiled: no
constexpr int size = 3;
static int a[size];
static_assert(sizeof a == 12);
int main(void)
{
    bool b = true;
    int *p = nullptr;
    typeof_unqual(size) n = 1;
    n = size - 1;
    constexpr unsigned char c = 255;
    switch (n) {
    case size - 1:
        break;
    default:
        return 1;
    }
    return b != false && !p && c == 255 && sizeof(alignof(int)) == sizeof(sizeof(int)) ? 0 : 2;
}
