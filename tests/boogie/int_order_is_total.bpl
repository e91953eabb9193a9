// verdict: safe
// ours: unknown
// Of two integers one is at most the other.
procedure main(a: int, b: int) { assert a <= b || b <= a; }
