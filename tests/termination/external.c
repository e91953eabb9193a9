// termination: ends
extern int get(void);
int main(void) { for (int i = get(); i > 0; i--) get(); return 0; }
