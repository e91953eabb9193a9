// Enums with a fixed type.
// returns: 0
// compiled: no
enum small : unsigned char { LEAST, MOST = 255 };
enum late : short;
static enum late first(void);
enum late : short { NEGATIVE = -1 };
static enum late first(void) { return NEGATIVE; }
enum wide : long long { BIG = 0x100000000LL, NEXT };
typedef unsigned short word;
enum { THREE = 3 };
struct s {
    enum small : 3;
    enum small member : 4;
    enum : word { INNER = 65535 } own;
};
int main(void)
{
    enum small e = MOST;
    if (sizeof(enum small) != 1 || sizeof(MOST) != 1 || sizeof(enum wide) != 8 || NEXT - BIG != 1)
        return 1;
    e++;
    if (e != LEAST || (enum small)(256 + 5) != 5)
        return 2;
    if (sizeof(first()) != 2 || first() >= 0)
        return 3;
    struct s s = {17, INNER};
    s.own++;
    if (s.member != 1 || s.own != 0)
        return 4;
    return _Generic(e, enum small: 0, default: 5);
}
