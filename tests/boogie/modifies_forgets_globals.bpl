// verdict: unsafe
// What is named in modifies may change.
type T;
var g: T;
procedure touch();
  modifies g;
procedure main() modifies g; {
  var before: T;
  before := g;
  call touch();
  assert g == before;
}
