// That the room suffices for all pairs is checked before the loop, of sums that have no name in it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int size = __VERIFIER_nondet_int(), head = __VERIFIER_nondet_int(), pairs = __VERIFIER_nondet_int();
    if (size <= 0 || size > 100000 || head <= 0 || head > size || pairs <= 0 || pairs > 100000)
        return 0;
    int room = size - head, at = head;
    if (room < 2 * pairs)
        return 0;
    for (int done = 0; done < pairs && room > 2; done++) {
        if (at < 0 || at + 1 >= size)
            reach_error();
        at += 2;
    }
    return 0;
}
