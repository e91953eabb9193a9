// realloc keeps the bytes that both objects have room for.
// returns: 0
typedef __typeof__(sizeof(0)) size_t;
void *malloc(size_t);
void *realloc(void *, size_t);
void free(void *);
int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 9;
    int *q = realloc(p, 2 * sizeof *q);
    if (!q)
        return 0;
    int changed = *q != 9;
    free(q);
    return changed;
}
