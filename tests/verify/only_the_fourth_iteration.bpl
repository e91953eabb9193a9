// verdict: unsafe
// engines: trace
// The first iterations are covered by facts; nothing visible at the loop distinguishes the fourth from them.
type A;
function f(x: A) returns (A);
function g(x: A) returns (A);
function colour(x: A) returns (A);
const red: A;
procedure main()
{
    var x, w, v: A;
    assume colour(x) == red && colour(f(x)) == red;
    assume colour(f(f(x))) == red && colour(f(f(f(x)))) == red;
    while (w != v) { x := f(x); w := g(w); }
    assert colour(x) == red;
}
