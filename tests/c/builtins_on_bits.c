// Builtins that count bits and ask about overflow.
// returns: 0
extern int ffs(int);
int main(void)
{
    int w = -256, x = 8, big = 2147483647;
    if (__builtin_clrsb(w) != 23 || __builtin_clrsb(0) != 31 || __builtin_clrsbll(5) != 60)
        return 1;
    if (ffs(x) != 4 || ffs(0) != 0)
        return 2;
    if (!__builtin_add_overflow_p(big, 1, 0) || __builtin_add_overflow_p(big, 1, 0ll))
        return 3;
    if (!__builtin_mul_overflow_p(200, 2, (unsigned char)0) || !__builtin_sub_overflow_p(1u, 2u, 0u))
        return 4;
    return 0;
}
