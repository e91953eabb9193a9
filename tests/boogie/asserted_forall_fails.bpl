// verdict: unsafe
// One value refutes the claim.
procedure main() { assert (forall x: bv8 :: x != 77bv8); }
