// verdict: safe
// Each cell has been left as it was, but for one.
procedure main(i: bv8) {
  var m, n: [bv8]bool;
  n := m;
  n[i] := true;
  assert (forall j: bv8 :: j == i || n[j] == m[j]);
}
