// Division by zero is reported, and continues with the total semantics: all ones.
// returns: 1
// undefined: DivisionByZero
// compiled: no
int main(void)
{
    unsigned x = 5, zero = 0;
    return x / zero == 4294967295u;
}
