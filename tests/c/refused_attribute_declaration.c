// A declaration is no statement, even with an attribute before it (this once ran out of stack).
// refused: a declaration cannot stand alone here
int main(void)
{
    if (1)
        __attribute__((unused)) int x;
    return 0;
}
