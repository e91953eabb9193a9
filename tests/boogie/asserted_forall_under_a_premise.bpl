// verdict: unsafe
// The premise does not help.
procedure main(c: bool) {
  var m: [bv8]bool;
  assert c ==> (forall j: bv8 :: m[j]);
}
