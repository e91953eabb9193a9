// verdict: safe
// Other indices keep their values.
procedure main(i: bv8, j: bv8) {
  var m, n: [bv8]bv8;
  var before: bv8;
  before := m[j];
  m[i] := 0bv8;
  assert i == j || m[j] == before;
}
