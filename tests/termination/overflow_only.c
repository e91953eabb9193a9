// termination: unknown
int main(void) { int i = 1; while (i > 0) { i = i + 1; if (i < 0) i = 1; } return 0; }
