// verdict: safe
// Each round uses the axiom for the value that it has.
type T;
function next(T): T;
function good(T): bool;
axiom (forall x: T :: {next(x)} good(x) ==> good(next(x)));
procedure main(start: T) {
  var x: T;
  assume good(start);
  x := start;
  while (*) { x := next(x); }
  assert good(x);
}
