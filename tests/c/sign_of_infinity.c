// The macro `isinf` of glibc: not zero for both infinities.
// returns: 0
int main(void)
{
    double zero = 0;
    if (!__builtin_isinf_sign(1 / zero) || !__builtin_isinf_sign(-1 / zero))
        return 1;
    if (__builtin_isinf_sign(zero) || __builtin_isinf_sign(zero / zero))
        return 2;
    return 0;
}
