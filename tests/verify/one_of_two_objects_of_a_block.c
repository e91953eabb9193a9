// verdict: safe
// engines: kind euf ufo
// The pointer is chosen by a load, so that its object is known only after several rounds of simplification.
static unsigned char global;
int main(void)
{
    char byte = global, *chooses = &byte;
    {
        short first = 1, second = 2, *one = *chooses ? &first : &second;
        if (*one == 3)
            return 1;
    }
    short other = 3, *p = &other;
    return *p;
}
