// verdict: safe
// options: --property no-overflow
// engines: kind euf ufo
// The initial value of a member of type double is a fact of the proof, although a pointer makes memory one array of bytes.
struct record {
    unsigned number;
    double value;
};
struct record global = {43, 1.0};
int main(void)
{
    char byte = 0, *p = &byte;
    for (; p < &byte + 1; p++)
        *p;
    struct record copy = global;
    for (int i = 0; i < 16; i++) {
    }
    return 0;
}
