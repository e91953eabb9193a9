// verdict: safe
// ours: unknown
// An update of an inner map.
procedure main(i: bv8, j: bv8) {
  var m: [bv8][bv8]bool;
  m[i][j] := true;
  assert m[i][j];
}
