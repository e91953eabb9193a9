// The loop goes down: what lies beyond the counter is filled.
// verdict: safe
extern void reach_error(void);
int main(void)
{
    short tail[20000];
    for (int i = 19999; i >= 0; i--) tail[i] = -1;
    for (int i = 0; i < 20000; i++)
        if (tail[i] != -1) reach_error();
    return 0;
}
