// verdict: safe
// A callee promises to return its argument.
procedure id(x: bv8) returns (y: bv8);
  ensures y == x;
procedure main(a: bv8) {
  var b: bv8;
  call b := id(a);
  assert a == b;
}
