// verdict: safe
// Reversing twice changes nothing.
use uforia::any;

fn main() {
    let a: [i32; 4] = any();
    let mut b = a;
    b.reverse();
    b.reverse();
    assert!(a == b);
}
