// verdict: safe
// A free clause is assumed at calls.
type T;
const k: T;
procedure get() returns (x: T);
  free ensures x == k;
procedure main() {
  var a, b: T;
  call a := get();
  call b := get();
  assert a == b;
}
