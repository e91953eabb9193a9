// verdict: unsafe
// The second round breaks the invariant.
type T;
function next(T): T;
procedure main(start: T) {
  var x, y: T;
  x := start; y := start;
  while (*)
    invariant x == y;
  { x := next(x); }
}
