// verdict: safe
// engines: kind refine
// Five loops deep the analysis keeps what it knows of inner loops, or it would not end.
extern void reach_error(void);
int main(void) {
    unsigned top = 0xffffffffu, a, b, c, d, e;
    for (a = 0; a < top - 1; ++a)
        for (b = 0; b < top - 1; ++b)
            for (c = 0; c < top - 1; ++c)
                for (d = 0; d < top - 1; ++d)
                    for (e = 0; e < top - 1; ++e) {
                        if (a == b && b == c && c == d && d == e && e == top - 1)
                            reach_error();
                    }
    return 0;
}
