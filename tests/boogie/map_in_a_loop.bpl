// verdict: safe
// The cell that was set first is not touched again.
procedure main() {
  var m: [bv8]bool;
  var i: bv8;
  m[0bv8] := true;
  while (*) {
    havoc i;
    if (i != 0bv8) { m[i] := false; }
  }
  assert m[0bv8];
}
