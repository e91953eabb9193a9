// Two variables walk along the same function. That they start equal is said only behind the loop.
type A;
function next(x: A) returns (A);
function count(x: A) returns (A);

procedure main() {
  var x, y, here, there, i, n: A;
  x := here;
  y := there;
  while (i != n) {
    x := next(x);
    y := next(y);
    i := count(i);
  }
  assume here == there;
  assert x == y;
}
