// verdict: safe
// A postcondition about every cell.
var m: [bv8]bool;
procedure set(i: bv8)
  modifies m;
  ensures (forall j: bv8 :: j == i || m[j] == old(m)[j]);
{ m[i] := true; }
