// Units, zero widths, unnamed fields and packing decide where fields lie.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
struct a { unsigned x : 20; unsigned y : 20; };
struct b { unsigned x : 4; unsigned : 0; unsigned y : 4; };
struct c { char c; int x : 8; short s; };
struct d { unsigned long long x : 33; unsigned y : 31; };
struct __attribute__((packed)) e { unsigned x : 20; unsigned y : 20; };
struct f { unsigned char x : 4, y : 4; unsigned char z; };
struct g { int : 5; int x : 3; };
union u { struct g g; unsigned char byte; unsigned whole; };
int main(void)
{
    check(1, sizeof(struct a) == 8);
    check(2, sizeof(struct b) == 8);
    check(3, sizeof(struct c) == 4);
    check(4, sizeof(struct d) == 8);
    check(5, sizeof(struct e) == 5);
    check(6, sizeof(struct f) == 2);
    union u u = {.whole = 0};
    u.g.x = -1;
    check(7, u.byte == 0xe0);
    struct f f = {.x = 5, .y = 10, .z = 77};
    unsigned char *bytes = (unsigned char *)&f;
    check(8, bytes[0] == 0xa5 && bytes[1] == 77);
    struct e e = {.x = 0xabcde, .y = 0x12345};
    bytes = (unsigned char *)&e;
    check(9, bytes[0] == 0xde && bytes[1] == 0xbc && bytes[2] == 0x5a && bytes[3] == 0x34 && bytes[4] == 0x12);
    return failed;
}
