// verdict: unsafe
// ours: unknown
// The axiom leaves the value of the function open.
type T;
function f(T): T;
axiom (forall x: T :: {f(x)} f(x) == f(f(x)));
procedure main(a: T) { assert f(a) == a; }
