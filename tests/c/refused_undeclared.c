// A name must be declared.
// refused: y
int main(void)
{
    int x = 1;
    return x + y;
}
