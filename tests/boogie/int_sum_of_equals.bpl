// verdict: safe
// Equal summands have equal sums.
procedure main(a: int, b: int, c: int) {
  assume a == b;
  assert a + c == b + c;
}
