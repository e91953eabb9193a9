// verdict: safe
// The axiom is used for the term at hand.
type T;
function inv(T): T;
axiom (forall x: T :: {inv(inv(x))} inv(inv(x)) == x);
procedure main(a: T) {
  var b: T;
  b := inv(inv(a));
  assert b == a;
}
