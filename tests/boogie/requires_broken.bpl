// verdict: unsafe
// The precondition does not hold at the call.
procedure need(x: bool);
  requires x;
procedure main(a: bool) { call need(a); }
