// verdict: safe
// The invariant is kept and gives the assertion.
type T;
function next(T): T;
procedure main(start: T) {
  var x, y: T;
  x := start; y := start;
  while (*)
    invariant x == y;
  { x := next(x); y := next(y); }
  assert x == y;
}
