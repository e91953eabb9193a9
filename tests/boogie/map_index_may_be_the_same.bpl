// verdict: unsafe
// The indices may be equal.
procedure main(i: bv8, j: bv8) {
  var m: [bv8]bv8;
  m[i] := 1bv8;
  m[j] := 2bv8;
  assert m[i] == 1bv8;
}
