// A list of any length, whose nodes all hold the same value.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *first = malloc(sizeof *first);
        first->value = 1;
        first->next = list;
        list = first;
    }
    while (list) {
        struct node *rest = list->next;
        assert(list->value == 1);
        free(list);
        list = rest;
    }
    return 0;
}
