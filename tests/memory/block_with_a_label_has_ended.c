// memsafety: unsafe valid-deref
// memcleanup: safe
// The jump back begins `x` again inside the block, the jump out of the block ends it.
int main(void)
{
    int round = 0, *p = 0;
    {
    again:
        if (round == 1)
            goto out;
        int x = 3;
        p = &x;
        round++;
        goto again;
    }
out:
    return *p;
}
