// verdict: safe
// The branch gives the precondition.
procedure need(x: bool);
  requires x;
procedure main(a: bool) { if (a) { call need(a); } }
