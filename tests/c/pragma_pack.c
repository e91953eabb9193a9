// The packing that a pragma asks for holds until it is taken back.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
#pragma pack(push, 1)
struct a { char c; int i; };
#pragma pack(2)
struct b { char c; int i; };
#pragma pack(pop)
struct c { char c; int i; };
int main(void)
{
    check(1, sizeof(struct a) == 5 && sizeof(struct b) == 6 && sizeof(struct c) == 8);
    struct a a = {1, 0x01020304};
    check(2, a.i == 0x01020304 && ((char *)&a)[1] == 4);
    return failed;
}
