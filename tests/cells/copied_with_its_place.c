// What is stored depends on the place, and is copied on.
// verdict: safe
extern void reach_error(void);
int main(void)
{
    unsigned first[25000], second[25000];
    for (int i = 0; i < 25000; i++) first[i] = 3u * i;
    for (int i = 0; i < 25000; i++) second[i] = first[i];
    for (int i = 0; i < 25000; i++)
        if (second[i] != 3u * i) reach_error();
    return 0;
}
