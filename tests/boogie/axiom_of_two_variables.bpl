// verdict: safe
// A commutative function.
type T;
function join(T, T): T;
axiom (forall x, y: T :: {join(x, y)} join(x, y) == join(y, x));
procedure main(a: T, b: T) { assert join(a, b) == join(b, a); }
