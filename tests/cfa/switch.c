// Cases stay equalities; falling through is an edge.
// data-model: ilp32
int main(void)
{
    int x = 3, y = 0;
    switch (x) {
    case 1:
        y = 1;
    case 2:
        y += 2;
        break;
    default:
        y = 9;
    }
    return y;
}
