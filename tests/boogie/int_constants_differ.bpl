// verdict: safe
// Two literals are two numbers.
procedure main(a: int) {
  assume a == 1;
  assert a != 2;
}
