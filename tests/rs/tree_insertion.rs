// verdict: unsafe
// error: assertion failed
// A tree has one child behind its second insertion, on either side.
use uforia::any;

struct T {
    v: i32,
    l: Option<Box<T>>,
    r: Option<Box<T>>,
}
fn insert(t: Option<Box<T>>, v: i32) -> Option<Box<T>> {
    match t {
        None => Some(Box::new(T { v, l: None, r: None })),
        Some(mut n) => {
            if v < n.v {
                n.l = insert(n.l.take(), v);
            } else {
                n.r = insert(n.r.take(), v);
            }
            Some(n)
        }
    }
}

fn main() {
    let (a, b): (i32, i32) = any();
    let t = insert(insert(None, a), b).unwrap();
    assert!(t.l.is_none() || t.r.is_some());
}
