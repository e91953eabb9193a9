// verdict: safe
// engines: trace
// Calls by contract, globals, labels, choices, truth values.
type Item;
type Stack;
const unique empty: Stack;
function push(s: Stack, i: Item): Stack;
function top(s: Stack): Item;
function rest(s: Stack): Stack;
function valid(i: Item): bool;
var stack: Stack;

procedure Push(i: Item);
  requires valid(i);
  modifies stack;
  ensures stack == push(old(stack), i) && top(stack) == i && rest(stack) == old(stack);

procedure Take() returns (i: Item)
  modifies stack;
  ensures i == top(old(stack)) && stack == rest(old(stack));
{
  i := top(stack);
  stack := rest(stack);
}

procedure main() modifies stack;
{
  var a, b: Item;
  var before: Stack;
again:
  havoc a;
  assume valid(a);
  before := stack;
  call Push(a);
  call b := Take();
  assert b == a && stack == before;
  goto again, done;
done:
  assert valid(b);
}
