// verdict: safe
// A ground axiom.
type T;
const a, b: T;
axiom a == b;
procedure main() { assert b == a; }
