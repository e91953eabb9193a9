// Anything may stand in a static volatile object: each read is a free value, here zero.
// returns: 0
// compiled: no
static volatile int device = 5;
int main(void)
{
    device = 7;
    return device;
}
