// verdict: safe
// An axiom about bit-vectors.
function mask(bv8): bv8;
axiom (forall x: bv8 :: {mask(x)} mask(x)[4:0] == 0bv4);
procedure main(a: bv8) { assert mask(a)[1:0] == 0bv1; }
