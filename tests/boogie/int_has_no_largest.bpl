// verdict: safe
// ours: unknown
// There is no overflow: the successor is larger.
procedure main(a: int) { assert a + 1 > a; }
