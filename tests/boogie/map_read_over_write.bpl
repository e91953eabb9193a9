// verdict: safe
// What was written is read.
procedure main(i: bv8, v: bv8) {
  var m: [bv8]bv8;
  m[i] := v;
  assert m[i] == v;
}
