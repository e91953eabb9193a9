// malloc, calloc and free; a list built and taken down.
// returns: 0
static int failed;
static void check(int number, int holds)
{
    if (!holds && !failed)
        failed = number;
}
typedef __typeof__(sizeof(0)) size_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
struct node { int value; struct node *next; };
int main(void)
{
    int *zeros = calloc(4, sizeof *zeros);
    if (!zeros) return 0;
    check(1, zeros[0] == 0 && zeros[3] == 0);
    zeros[3] = 9;
    check(2, zeros[3] == 9 && zeros[2] == 0);
    free(zeros);
    struct node *head = 0;
    for (int i = 0; i < 5; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n) return 0;
        n->value = i;
        n->next = head;
        head = n;
    }
    int sum = 0, count = 0;
    while (head) {
        struct node *next = head->next;
        sum = sum * 10 + head->value;
        count++;
        free(head);
        head = next;
    }
    check(3, count == 5 && sum == 43210);
    free(0);
    return failed;
}
