// termination: ends
int main(void) { int s = 0; for (int i = 0; i < 1000; i++) for (int j = 0; j < i; j++) s ^= j; return s; }
