// verdict: safe
// engines: trace
// What makes the two equal is assumed only behind the loop that needs it.
type A;
function f(x: A) returns (A);
function g(x: A) returns (A);
procedure main()
{
    var x, y, t, k, i, n: A;
    x := f(t);
    y := f(k);
    while (i != n) {
        if (x == n) { x := g(x); y := g(y); } else { x := f(x); y := f(y); }
        i := g(i);
        assume(y != n);
    }
    assume(t == k);
    assert(x == y);
}
