// verdict: safe
// Elements move when others are inserted and removed.
use uforia::any;

fn main() {
    let x: u8 = any();
    let mut v = vec![1u8, 2, 3];
    v.insert(1, x);
    assert!(v.len() == 4 && v[1] == x && v[2] == 2);
    assert!(v.remove(0) == 1);
    assert!(v[0] == x);
}
