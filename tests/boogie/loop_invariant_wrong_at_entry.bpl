// verdict: unsafe
// The invariant does not hold at the beginning.
procedure main(a: bool) {
  var b: bool;
  b := a;
  while (*) invariant b; { b := true; }
}
