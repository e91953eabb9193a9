// verdict: safe
// A trigger is found in the body.
type T;
function f(T): bool;
axiom (forall x: T :: f(x));
procedure main(a: T) { assert f(a); }
