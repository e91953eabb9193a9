// verdict: unsafe
// The body of the callee would do, but only its contract counts.
procedure id(x: bv8) returns (y: bv8)
{ y := x; }
procedure main(a: bv8) {
  var b: bv8;
  call b := id(a);
  assert a == b;
}
