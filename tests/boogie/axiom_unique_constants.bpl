// verdict: safe
// Unique constants differ.
type T;
const unique a, b: T;
procedure main() { assert a != b; }
