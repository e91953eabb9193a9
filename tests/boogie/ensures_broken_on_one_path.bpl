// verdict: unsafe
// One path returns something else.
type T;
procedure pick(c: bool, x: T, y: T) returns (z: T)
  ensures z == x;
{ if (c) { z := x; } else { z := y; } }
