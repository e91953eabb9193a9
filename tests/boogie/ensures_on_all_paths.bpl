// verdict: safe
// Both paths keep the promise.
type T;
procedure pick(c: bool, x: T, y: T) returns (z: T)
  ensures z == x || z == y;
{ if (c) { z := x; } else { z := y; } }
