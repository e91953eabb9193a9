// The union makes padding visible, so it is any value in each literal; the members beside it keep theirs.
// verdict: safe
// engines: bmc kind refine euf ufo explicit trace
extern void reach_error(void);
struct s {
    char c;
    float f;
    int k : 5;
};
union {
    struct s s;
    int words[3];
} seen;
int main(void)
{
    struct s *outer = &(struct s){(&(struct s){1, 1.5f, 2})->k, 2.5f, 3};
    if (outer->c != 2 || outer->k != 3)
        reach_error();
    return 0;
}
