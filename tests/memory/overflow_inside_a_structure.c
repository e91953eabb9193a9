// memsafety: safe
// memcleanup: safe
// An index beyond a member stays inside the object, which is what counts.
extern int __VERIFIER_nondet_int(void);
struct pair { char name[4]; char end; } pair;

int main(void)
{
    int at = __VERIFIER_nondet_int();
    if (at < 0 || at > 4)
        return 0;
    pair.name[at] = 1;
    return pair.end;
}
