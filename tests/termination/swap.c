// termination: endless
int main(void) { int a = 13, b = 17; while (a + b < 100) { int t = a; a = b; b = t; } return 0; }
