// verdict: unsafe
// ours: unknown
// An integer need not be positive.
procedure main(a: int) { assert a >= 0; }
