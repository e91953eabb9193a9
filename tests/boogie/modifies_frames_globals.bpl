// verdict: safe
// What is not named in modifies does not change.
type T;
var g, h: T;
procedure touch();
  modifies g;
procedure main() modifies g; {
  var before: T;
  before := h;
  call touch();
  assert h == before;
}
