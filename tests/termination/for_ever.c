// termination: endless
int main(void) { for (;;); }
