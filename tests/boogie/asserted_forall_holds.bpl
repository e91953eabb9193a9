// verdict: safe
// A claim about every value.
procedure main() { assert (forall x: bv8 :: x == 0bv8 || x != 0bv8); }
