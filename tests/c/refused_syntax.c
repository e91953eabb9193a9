// All errors are reported, with their places.
// refused: 5:
int main(void)
{
    return 1 +;
}
