// memsafety: unsafe valid-deref
// memcleanup: safe
// A jump to a place before the declaration leaves the scope of an array of variable length.
int main(void)
{
    int n = 3, round = 0, *p = 0;
    {
    again:
        if (round == 1)
            return *p;
        int a[n];
        a[0] = 1;
        p = a;
        round++;
        goto again;
    }
}
