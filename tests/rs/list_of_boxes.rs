// verdict: safe
// The length of a list of boxes.
use uforia::any;

enum List {
    Nil,
    Cons(u32, Box<List>),
}
fn len(l: &List) -> u32 {
    let mut n = 0;
    let mut l = l;
    while let List::Cons(_, t) = l {
        n += 1;
        l = t;
    }
    n
}

fn main() {
    let (a, b): (u32, u32) = any();
    let l = List::Cons(a, Box::new(List::Cons(b, Box::new(List::Nil))));
    assert!(len(&l) == 2);
}
