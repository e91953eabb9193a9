// A scalar compound literal may be the first element of an inner array without braces.
// returns: 0
int main(void)
{
    int n = 7;
    signed char x[2][2] = {(signed char){n}, 1, {2, 3}};
    return x[0][0] == 7 && x[0][1] == 1 && x[1][1] == 3 ? 0 : 1;
}
