// All mistakes are told, with their places.
// refused: 5:
int main(void)
{
    return 1 +;
}
