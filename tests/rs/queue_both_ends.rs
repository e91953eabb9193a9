// verdict: safe
// A queue that is filled at both ends.
use std::collections::VecDeque;
use uforia::any;

fn main() {
    let (a, b): (u8, u8) = any();
    let mut q = VecDeque::new();
    q.push_back(a);
    q.push_back(b);
    q.push_front(3);
    assert!(q.pop_front() == Some(3));
    assert!(q.pop_front() == Some(a));
    assert!(q.len() == 1);
}
