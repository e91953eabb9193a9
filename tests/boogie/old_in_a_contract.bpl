// verdict: safe
// old speaks of the state at the entry.
var g: bool;
procedure flip()
  modifies g;
  ensures g == !old(g);
{ g := !g; }
procedure main() modifies g; {
  var before: bool;
  before := g;
  call flip();
  call flip();
  assert g == before;
}
