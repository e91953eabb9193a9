// verdict: safe
// Equalities of integers.
procedure main(a: int, b: int) {
  assume a == b;
  assert b == a;
}
