// termination: ends
int main(void) { int x = 0, *p = 0; for (;;) x = *p; }
